import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { filesIn, isBuiltin, readSource, resolved, root, type SourceFile } from './architecture/imports.ts'
import { type Layer, layerOf, readLayers } from './architecture/layers.ts'

const layers: readonly Layer[] = readLayers()
const sources: readonly SourceFile[] = filesIn('src', '.ts').map(readSource)
const byPath: ReadonlyMap<string, SourceFile> = new Map(sources.map((source) => [source.path, source]))

/** These may use what only Node has; everything else also runs in a browser. */
const nodeOnly: readonly string[] = [
  'src/config/files/',
  'src/transport/stdio/',
  'src/transport/http/node-',
  'src/transport/http/http-node.ts',
  'src/testing/',
  'src/cli/',
]

/** The command uses the package as everybody does. */
const published: readonly string[] = ['mcp-switchboard', 'mcp-switchboard/config', 'mcp-switchboard/testing', 'mcp-switchboard/transport']

describe('the layers', () => {
  it('the table in ARCHITECTURE.md has rows, and each row names layers that exist', () => {
    const names = layers.map((layer) => layer.name)
    expect(names).toEqual(expect.arrayContaining(['jsonrpc', 'transport', 'era', 'session', 'features', 'client', 'connect', 'cli']))
    expect(layers.flatMap((layer) => layer.mayImport.filter((name) => !names.includes(name)))).toEqual([])
  })

  it('no row reaches itself over the rows that it may import', () => {
    const reaches = (name: string, wanted: string, seen = new Set<string>()): boolean => {
      if (seen.has(name)) return false
      seen.add(name)
      return (layers.find((layer) => layer.name === name)?.mayImport ?? []).some((next) => next === wanted || reaches(next, wanted, seen))
    }
    expect(layers.map((layer) => layer.name).filter((name) => reaches(name, name))).toEqual([])
  })

  it('every file of src stands in a row, and every row has files', () => {
    expect(sources.map((source) => source.path).filter((path) => layerOf(path, layers) === undefined)).toEqual([])
    const used = new Set(sources.map((source) => layerOf(source.path, layers)?.name))
    expect(layers.map((layer) => layer.name).filter((name) => !used.has(name))).toEqual([])
  })

  it('a file imports only its own layer and the layers in its row', () => {
    const violations = sources.flatMap((source) => {
      const own = layerOf(source.path, layers)
      return source.imports.flatMap(({ specifier }) => {
        const target = resolved(source.path, specifier)
        const theirs = target?.startsWith('src/') ? layerOf(target, layers) : undefined
        const allowed = theirs === undefined || theirs === own || own?.mayImport.includes(theirs.name)
        return allowed ? [] : [`${source.path} (${own?.name}) imports ${target} (${theirs?.name})`]
      })
    })
    expect(violations).toEqual([])
  })

  it('a layer of published subpaths names nothing else of this package', () => {
    const violations = sources
      .filter((source) => layerOf(source.path, layers)?.publishedOnly)
      .flatMap((source) =>
        source.imports
          .filter(
            ({ specifier }) => specifier.startsWith('#') || (specifier.startsWith('mcp-switchboard') && !published.includes(specifier)),
          )
          .map(({ specifier }) => `${source.path}: ${specifier}`),
      )
    expect(violations).toEqual([])
  })

  it('relative imports stay inside src and name files that exist', () => {
    const violations = sources.flatMap((source) =>
      source.imports
        .map(({ specifier }) => resolved(source.path, specifier))
        .filter((target) => target !== undefined && !byPath.has(target) && target !== 'package.json')
        .map((target) => `${source.path} imports ${target}`),
    )
    expect(violations).toEqual([])
  })
})

describe('the graph', () => {
  it('no file imports itself over others, not even for types', () => {
    expect(cycles(sources)).toEqual([])
  })

  it('Node built-ins are imported only where Node is needed', () => {
    const violations = sources
      .filter((source) => !nodeOnly.some((place) => source.path.startsWith(place)))
      .flatMap((source) =>
        source.imports.filter(({ specifier }) => isBuiltin(specifier)).map(({ specifier }) => `${source.path}: ${specifier}`),
      )
    expect(violations).toEqual([])
  })

  it('loading the root loads no Node built-in', () => {
    const loaded = new Set<string>()
    const builtins: string[] = []
    const load = (path: string): void => {
      if (loaded.has(path)) return
      loaded.add(path)
      for (const { specifier, kind } of byPath.get(path)?.imports ?? []) {
        if (kind !== 'value') continue
        if (isBuiltin(specifier)) builtins.push(`${path}: ${specifier}`)
        const target = resolved(path, specifier)
        if (target !== undefined) load(target)
      }
    }
    load('src/index.ts')
    expect(loaded.size).toBeGreaterThan(50)
    expect(builtins).toEqual([])
  })

  it('loading the built root loads no Node built-in and no dependency', (ctx) => {
    if (!existsSync(join(root, 'dist/index.js'))) {
      const reason = 'there is no dist/: npm run build makes it'
      console.log(`skip: the graph of the built root (${reason})`)
      return ctx.skip(reason)
    }
    expect(outsideOf('dist/index.js')).toEqual([])
  })
})

describe('the rules of the house', () => {
  it('there is no default export', () => {
    const found = sources.filter(({ tree }) =>
      tree.statements.some(
        (statement) =>
          (ts.isExportAssignment(statement) && !statement.isExportEquals) ||
          (ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)),
      ),
    )
    expect(found.map(({ path }) => path)).toEqual([])
  })

  it('no revision of the protocol is named outside src/era, but by the demo server, which speaks them all', () => {
    const found = sources
      .filter(({ path }) => !path.startsWith('src/era/') && !path.startsWith('src/testing/'))
      .flatMap(({ path, tree }) =>
        literals(tree)
          .filter((text) => /^20\d\d-\d\d-\d\d$/.test(text))
          .map((text) => `${path}: ${text}`),
      )
    expect(found).toEqual([])
  })

  it('no version is compared by order outside src/era and the demo server', () => {
    const order = [
      ts.SyntaxKind.LessThanToken,
      ts.SyntaxKind.LessThanEqualsToken,
      ts.SyntaxKind.GreaterThanToken,
      ts.SyntaxKind.GreaterThanEqualsToken,
    ]
    const found: string[] = []
    for (const { path, tree } of sources) {
      if (path.startsWith('src/era/') || path.startsWith('src/testing/')) continue
      const visit = (node: ts.Node): void => {
        if (ts.isBinaryExpression(node) && order.includes(node.operatorToken.kind) && /version\b/i.test(node.getText()))
          found.push(`${path}: ${node.getText()}`)
        ts.forEachChild(node, visit)
      }
      visit(tree)
    }
    expect(found).toEqual([])
  })

  it('no published file waits at its top level', () => {
    const found: string[] = []
    for (const { path, tree } of sources) {
      const visit = (node: ts.Node): void => {
        if (ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node)) return
        if (ts.isAwaitExpression(node)) found.push(`${path}: ${node.getText()}`)
        ts.forEachChild(node, visit)
      }
      visit(tree)
    }
    expect(found).toEqual([])
  })

  it('the transports name no method of the protocol', () => {
    const methods =
      /^(initialize|ping|(tools|prompts|resources|tasks|roots|sampling|elicitation|completion|logging|server|subscriptions|notifications)\/.+)$/
    const found = sources
      .filter(({ path }) => path.startsWith('src/transport/'))
      .flatMap(({ path, tree }) =>
        literals(tree)
          .filter((text) => methods.test(text))
          .map((text) => `${path}: ${text}`),
      )
    expect(found).toEqual([])
  })
})

/** The texts of a file that are neither specifiers nor types. */
function literals(tree: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node))
      found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** One path for each cycle that a walk finds. */
function cycles(files: readonly SourceFile[]): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      found.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      return
    }
    if (done.has(path)) return
    for (const { specifier } of byPath.get(path)?.imports ?? []) {
      const target = resolved(path, specifier)
      if (target !== undefined) walk(target, [...trail, path])
    }
    done.add(path)
  }
  for (const { path } of files) walk(path, [])
  return found
}

/** What a built file imports statically, over its chunks, that is not part of the package. */
function outsideOf(entry: string): string[] {
  const loaded = new Set<string>()
  const outside: string[] = []
  const load = (path: string): void => {
    if (loaded.has(path)) return
    loaded.add(path)
    const tree = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest)
    for (const statement of tree.statements) {
      if (!(ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))) continue
      const { moduleSpecifier } = statement
      if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue
      const target = resolved(path, moduleSpecifier.text)
      if (target === undefined) outside.push(`${path}: ${moduleSpecifier.text}`)
      else load(target)
    }
  }
  load(entry)
  return outside
}
