import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { root } from './architecture/imports.ts'
import type { Evidence, Row } from './seed/row.ts'
import { seed } from './seed.ts'

const ROWS = 293
const rows: readonly Row[] = seed.flatMap((section) => section.rows)

describe('the seed', () => {
  it('has each of its rows once, in order within a section', () => {
    const numbers = rows.map(({ no }) => no)
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1))
    for (const section of seed) {
      const own = section.rows.map(({ no }) => no)
      expect(own, section.title).toEqual([...own].sort((a, b) => a - b))
    }
  })

  it('names a test for every row that is done', () => {
    expect(rows.filter(({ state }) => state.is === 'done' && state.shownBy.length === 0).map(({ no }) => no)).toEqual([])
  })

  it('says why a row is different', () => {
    expect(rows.filter(({ state }) => state.is === 'different' && state.because.length < 20).map(({ no }) => no)).toEqual([])
  })

  it('names only tests that exist', () => {
    const missing = rows.flatMap(({ no, state }) =>
      state.shownBy.filter((evidence) => !shows(evidence)).map(([file, fragment]) => `${no}: ${file}: ${fragment}`),
    )
    expect(missing).toEqual([])
  })
})

/** Whether the file is there and holds it: a test in the title of a test or a group, any other file in its text. */
function shows([file, fragment]: Evidence): boolean {
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
