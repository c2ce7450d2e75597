import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const root: string = join(dirname(fileURLToPath(import.meta.url)), '../..')

export interface Import {
  /** As written. */
  readonly specifier: string
  /** `value` runs when the file is loaded, `lazy` when it is asked for, `type` never. */
  readonly kind: 'value' | 'type' | 'lazy'
}

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly imports: readonly Import[]
  readonly tree: ts.SourceFile
}

/** Every file below a folder, from the root of the repository. */
export function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

export function readSource(path: string): SourceFile {
  const tree = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
  return { path, imports: importsOf(tree), tree }
}

/** What a relative specifier names; undefined for packages and built-ins. */
export function resolved(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(from), specifier)) : undefined
}

export function isBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:')
}

function importsOf(tree: ts.SourceFile): Import[] {
  const found: Import[] = []
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      found.push({ specifier: node.moduleSpecifier.text, kind: isTypeOnly(node) ? 'type' : 'value' })
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      found.push({ specifier: argument && ts.isStringLiteralLike(argument) ? argument.text : '(computed)', kind: 'lazy' })
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push({ specifier: node.argument.literal.text, kind: 'type' })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) {
    const { exportClause } = node
    return node.isTypeOnly || (exportClause !== undefined && ts.isNamedExports(exportClause) && allTypes(exportClause.elements))
  }
  const { importClause } = node
  if (importClause === undefined) return false
  const { namedBindings } = importClause
  return importClause.isTypeOnly || (namedBindings !== undefined && ts.isNamedImports(namedBindings) && allTypes(namedBindings.elements))
}

function allTypes(elements: readonly { readonly isTypeOnly: boolean }[]): boolean {
  return elements.length > 0 && elements.every((element) => element.isTypeOnly)
}
