import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { consumer, nodeConsumer } from './consumer.ts'
import { bytesIn, type Installed, install, packagesIn, root, run } from './installed.ts'
import { errorCodes, rootValues, subpaths, toolsOfDemo } from './public-api.ts'

// Each test starts other programs, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 })

let installed: Installed | undefined
let why = ''

beforeAll(async () => {
  const made = await install()
  if (typeof made === 'string') {
    why = made
    console.log(`skip: the packed package (${why})`)
  } else installed = made
}, 200_000)

afterAll(() => installed?.remove())

beforeEach((context) => {
  if (installed === undefined) context.skip(why)
})

function thePackage(): Installed {
  if (installed === undefined) throw new Error(why)
  return installed
}

const node = (script: string, type: 'module' | 'commonjs' = 'module') =>
  run(process.execPath, [`--input-type=${type}`, '-e', script], thePackage().folder)

describe('what is packed', () => {
  it('holds the licence, the texts and what was built, and no source or test', () => {
    const { files } = thePackage()
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json', 'dist/index.js', 'dist/cli.js']))
    const documents = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']
    expect(files.filter((path) => !/^(?:dist|docs)\//.test(path)).sort()).toEqual(documents)
    const links = [...readFileSync('README.md', 'utf8').matchAll(/\]\((?!http)([^)#]+)/g)].map(([, path]) => path ?? '')
    expect(links.filter((link) => !files.some((path) => path === link || path.startsWith(`${link}/`)))).toEqual([])
    expect(files.filter((path) => /\.test\.|\.map$|(?<!\.d)\.ts$/.test(path))).toEqual([])
  })

  it('publint finds nothing to improve', async () => {
    const { code, out, err } = await run(
      process.execPath,
      [join(root, 'node_modules/publint/src/cli.js'), 'run', thePackage().tarball, '--strict'],
      thePackage().folder,
    )
    expect(out + err).toMatch(/All good/)
    expect(code).toBe(0)
  })

  it('installs at most 34 packages and 8 MB', () => {
    const modules = join(thePackage().folder, 'node_modules')
    const packages = packagesIn(modules)
    const megabytes = bytesIn(modules) / 1_000_000
    console.log(`installed: ${packages.length} packages, ${megabytes.toFixed(2)} MB`)
    expect(packages).toContainEqual(expect.stringMatching(/^mcp-switchboard@/))
    expect(packages.length).toBeLessThanOrEqual(34)
    expect(megabytes).toBeLessThanOrEqual(8)
  })
})

describe('the command', () => {
  it('npx runs the tarball by its file name', async () => {
    const { code, out } = await run('npx', ['--yes', `file:${thePackage().tarball}`, '--version'], thePackage().folder)
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(code).toBe(0)
  })

  it.each(['switchboard', 'mcp-switchboard'])('npx %s runs the installed command', async (name) => {
    const { code, out } = await run('npx', ['--no', name, '--version'], thePackage().folder)
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(code).toBe(0)
  })

  it('lists and calls the demo server from the installed package', async () => {
    const listed = await run('npx', ['--no', 'switchboard', 'tools', 'demo', '--json'], thePackage().folder)
    expect(listed.code, listed.err).toBe(0)
    for (const name of toolsOfDemo) expect(listed.out).toContain(`"${name}"`)
    const called = await run('npx', ['--no', 'switchboard', 'call', 'demo', 'echo', 'message=from the tarball'], thePackage().folder)
    expect(called.code, called.err).toBe(0)
    expect(called.out).toContain('from the tarball')
  })

  it('starts a server process of its own, which is there in the tarball too', async () => {
    const script = `
      import { connect } from 'mcp-switchboard'
      const client = await connect(['npx', '--no', 'switchboard', 'serve-demo'], { logger: false, probeTimeoutMs: 30_000 })
      const { data } = await client.callTool('add', { a: 2, b: 3 })
      console.log(JSON.stringify({ data, version: client.protocolVersion, transport: client.transport }))
      await client.close()`
    const { code, out, err } = await node(script)
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ version: '2026-07-28', transport: 'stdio' })
    expect(out).toContain('5')
  })
})

describe('the entries', () => {
  it.each(subpaths)('%s loads as a module', async (subpath) => {
    const { code, err } = await node(`const entry = await import('${subpath}'); if (Object.keys(entry).length === 0) process.exit(3)`)
    expect(err).toBe('')
    expect(code).toBe(0)
  })

  it('mcp-switchboard/tracing loads where its peer is, and names it where it is not', async () => {
    const load = () => node(`console.log(typeof (await import('mcp-switchboard/tracing')).tracing())`)
    expect((await load()).err).toContain(`Cannot find package '@opentelemetry/api'`)
    const peer = join(thePackage().folder, 'node_modules/@opentelemetry')
    cpSync(join(root, 'node_modules/@opentelemetry/api'), join(peer, 'api'), { recursive: true })
    const { out, err } = await load()
    rmSync(peer, { recursive: true })
    expect(out, err).toBe('function\n')
  })

  it('the root loads by require()', async () => {
    const { code, out, err } = await node(`console.log(typeof require('mcp-switchboard').connect)`, 'commonjs')
    expect(code, err).toBe(0)
    expect(out).toBe('function\n')
  })

  it('a path that is not published cannot be imported', async () => {
    const { code, err } = await node(`await import('mcp-switchboard/dist/index.js')`)
    expect(code).toBe(1)
    expect(err).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })

  it('the root exports these values and no others', async () => {
    const { out } = await node(`console.log(JSON.stringify(Object.keys(await import('mcp-switchboard')).sort()))`)
    expect(JSON.parse(out)).toEqual([...rootValues].sort())
  })

  it('every error has its code', async () => {
    const entry = await import(pathToFileURL(join(thePackage().folder, 'node_modules/mcp-switchboard/dist/index.js')).href)
    const codes = Object.fromEntries(
      Object.keys(errorCodes).map((name) => {
        // The arguments fit no constructor in particular: only the code is looked at.
        const error = new entry[name]({ message: 'm' }, { status: 500, reason: 'mismatch' }, name === 'PolicyError' ? 'a name' : [])
        expect(error).toBeInstanceOf(entry.McpError)
        return [name, error.code]
      }),
    )
    expect(codes).toEqual(errorCodes)
  })
})

describe('the types', () => {
  const compilers: readonly [string, readonly string[], object][] = [
    [
      'nodenext, with the types of Node',
      ['program.ts', 'node-program.ts'],
      { module: 'nodenext', lib: ['ES2022'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    ],
    [
      'bundler, with the types of a browser',
      ['program.ts'],
      { module: 'preserve', moduleResolution: 'bundler', lib: ['ESNext', 'DOM'], types: [] },
    ],
  ]

  it.each(compilers)('a consumer compiles under %s', async (name, files, options) => {
    const { folder } = thePackage()
    const config = `tsconfig.${name.split(',')[0]}.json`
    writeFileSync(join(folder, 'program.ts'), consumer)
    writeFileSync(join(folder, 'node-program.ts'), nodeConsumer)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      allowImportingTsExtensions: true,
      target: 'ES2022',
      ...options,
    }
    writeFileSync(join(folder, config), JSON.stringify({ compilerOptions, files }))
    const { code, out } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], folder)
    expect(out).toBe('')
    expect(code).toBe(0)
  })
})

describe('a browser', () => {
  it('gets the root bundled without a Node built-in', async () => {
    const { folder } = thePackage()
    const entry = join(folder, 'page.js')
    writeFileSync(entry, `import { connect } from 'mcp-switchboard'\nglobalThis.connect = connect\n`)
    const problems: string[] = []
    const bundle = await rolldown({
      cwd: folder,
      input: entry,
      platform: 'browser',
      resolve: { conditionNames: ['browser', 'import', 'default'] },
      onLog: (_level, log) => problems.push(log.message),
    })
    const { output } = await bundle.generate({ format: 'esm' })
    await bundle.close()
    const chunks = output.flatMap((file) => (file.type === 'chunk' ? [file] : []))
    const names = new Set(chunks.map((chunk) => chunk.fileName))
    const outside = chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports]).filter((name) => !names.has(name))
    expect(problems).toEqual([])
    expect(outside).toEqual([])
    expect(chunks.filter((chunk) => /\b(?:from|import|require)\s*\(?\s*['"]node:/.test(chunk.code)).map((chunk) => chunk.fileName)).toEqual(
      [],
    )
  })
})
