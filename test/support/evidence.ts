import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { root } from '../architecture/imports.ts'

/** A test that shows something: the file, and part of a title in it. For files that are no tests of vitest, part of their text. */
export type Evidence = readonly [file: string, fragment: string]

/** Whether the file is there and holds it: a test in the title of a test or a group, any other file in its text. */
export function shows([file, fragment]: Evidence): boolean {
  if (!existsSync(join(root, file))) return false
  const text = readFileSync(join(root, file), 'utf8')
  return file.endsWith('.test.ts') ? titlesIn(file, text).some((title) => title.includes(fragment)) : text.includes(fragment)
}

const titles = new Map<string, readonly string[]>()

function titlesIn(file: string, text: string): readonly string[] {
  const known = titles.get(file)
  if (known !== undefined) return known
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(it|test|describe)\b/.test(node.expression.getText())) {
      const [title] = node.arguments
      if (title !== undefined && ts.isStringLiteralLike(title)) found.push(title.text)
      else if (title !== undefined && ts.isTemplateExpression(title)) found.push(title.getText().slice(1, -1))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  titles.set(file, found)
  return found
}
