import { ToolResult } from 'mcp-switchboard'
import { describe, expect, it } from 'vitest'
import { fieldsOf, numberProblem, textProblem } from '../../src/cli/form-fields.ts'
import { progressLine } from '../../src/cli/progress-bar.ts'
import { resultText } from '../../src/cli/result-text.ts'
import { tableLines } from '../../src/cli/table.ts'
import { cut, printable, widthOf, wrap } from '../../src/cli/terminal-text.ts'

describe('text of a server in a terminal', () => {
  it.each([
    ['plain\n\ttext', 'plain\n\ttext'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['a\u001b[2J\u001b[1;1Hb', 'ab'],
    ['a\u001b]0;title\u0007b', 'ab'],
    ['a\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\', 'alink'],
    ['a\u001bP+q544e\u001b\\b', 'ab'],
    ['a\u009b31mb', 'ab'],
    ['a\u001bcb', 'ab'],
    ['over\rwritten', 'over\nwritten'],
    ['a\u0008\u0000\u007fb', 'ab'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['a\u001b', 'a'],
    ['äöü 漢字 👍', 'äöü 漢字 👍'],
  ])('%j is shown as %j', (text, expected) => {
    expect(printable(text)).toBe(expected)
  })

  it('is measured in columns', () => {
    expect(['abc', '漢字', '👍', 'e\u0301'].map(widthOf)).toEqual([3, 4, 2, 1])
    expect(cut('漢字漢字', 5)).toBe('漢字…')
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
  })
})

describe('a table', () => {
  const columns = [
    { title: 'NAME', narrow: 'keep' },
    { title: 'ARGS', narrow: 'wrap' },
    { title: 'ABOUT', narrow: 'cut' },
  ] as const
  const rows = [['read', 'path offset limit encoding', 'Reads a file and gives back what stands in it.']]

  it('is as wide as it needs where nobody sets a width', () => {
    expect(tableLines(columns, rows)).toEqual([
      'NAME  ARGS                        ABOUT',
      'read  path offset limit encoding  Reads a file and gives back what stands in it.',
    ])
  })

  it('cuts and wraps to the width of the terminal', () => {
    const lines = tableLines(columns, rows, 50)
    expect(lines.length).toBeGreaterThan(2)
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(50)
    expect(lines.join(' ')).toContain('encoding')
  })
})

describe('progress', () => {
  it('is a bar where the end is known, else a sign of life', () => {
    expect(progressLine('build', { progress: 5, total: 10, message: 'half\u001b[2J' }, 1_500)).toBe(
      'build  ████████████░░░░░░░░░░░░  50 %  1 s  half',
    )
    expect(progressLine('build', { progress: 20, total: 10 }, 0)).toContain('100 %')
    expect(progressLine('build', { progress: 7 }, 2_000)).toMatch(/^\S build {2}7 {2}2 s$/)
    expect(progressLine('build', undefined, 2_000)).toMatch(/^\S build {2}2 s$/)
    expect(progressLine('build', { progress: 1, total: 0 }, 0)).not.toContain('█')
  })
})

describe('a result for a person', () => {
  it.each([
    [{ content: [] }, ''],
    [{ content: [], structuredContent: null }, 'null'],
    [{ content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } }, 'a'],
    [{ content: [{ type: 'hologram' }] }, '[unknown kind: hologram]'],
    [{ content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(4_000) }] }, '[image: image/png, 3.0 kB]'],
    [{ content: [{ type: 'image' }] }, '[image: no data]'],
    [{ content: [null] }, '[unknown kind: null]'],
    [{ content: [{ type: 'resource' }] }, '[resource: no contents]'],
  ])('%j is %j', (raw, expected) => {
    expect(resultText(new ToolResult(raw))).toBe(expected)
  })
})

describe('the fields of a form', () => {
  it('cover every kind of the specification', () => {
    const fields = fieldsOf({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string', title: 'A\u001b[2J', description: 'the first' },
        b: { type: 'integer', default: 3 },
        c: { type: 'boolean', default: true },
        d: { type: 'string', enum: ['x', 'y'], enumNames: ['Ex', 'Why'] },
        e: { type: 'string', oneOf: [{ const: 'x', title: 'Ex' }] },
        f: { type: 'array', items: { type: 'string', enum: ['x'] }, default: ['x'] },
        g: { type: 'array', items: { anyOf: [{ const: 'x', title: 'Ex' }] } },
        h: null,
      },
    })
    expect(fields.map(({ name, label, kind, required, initial }) => [name, label, kind, required, initial])).toEqual([
      ['a', 'A: the first', 'text', true, undefined],
      ['b', 'b', 'number', false, 3],
      ['c', 'c', 'boolean', false, true],
      ['d', 'd', 'choice', false, undefined],
      ['e', 'e', 'choice', false, undefined],
      ['f', 'f', 'choices', false, ['x']],
      ['g', 'g', 'choices', false, undefined],
      ['h', 'h', 'text', false, undefined],
    ])
    expect(fields[3]?.choices).toEqual([
      { value: 'x', label: 'Ex' },
      { value: 'y', label: 'Why' },
    ])
  })

  it('say why a text does not fit', () => {
    const [count, code] = fieldsOf({
      properties: { count: { type: 'integer', minimum: 1, maximum: 9 }, code: { type: 'string', minLength: 2, maxLength: 3 } },
    })
    if (count === undefined || code === undefined) throw new Error('two fields were expected')
    expect(['x', '1.5', '0', '10', '5'].map((text) => numberProblem(count, text))).toEqual([
      'a number, please',
      'a whole number, please',
      'at least 1',
      'at most 9',
      undefined,
    ])
    expect(['a', 'ab', 'abcd'].map((text) => textProblem(code, text))).toEqual(['at least 2 characters', undefined, 'at most 3 characters'])
  })
})
