import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InterpolationError, interpolator, MAX_EXPANDED_CHARS, type Variables } from '../../../src/config/interpolation.ts'
import { MAX_NESTED_DEFAULTS } from '../../../src/config/template.ts'

function filler(env: Record<string, string>, more: Partial<Variables> = {}): (text: string) => string {
  const process = new Map(Object.entries(env))
  return interpolator({
    process: (name) => process.get(name),
    known: new Map([
      ['workspaceFolder', '/work'],
      ['/', '/'],
    ]),
    own: new Map(),
    fetched: new Map(),
    home: '/home/me',
    syntax: [],
    ...more,
  })
}

describe('the variables of a text', () => {
  const env = { A: 'one', EMPTY: '', HOLDS: '${A} ~', _x9: 'low', 'ProgramFiles(x86)': 'C:\\P' }

  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['${A}', 'one'],
    ['x${A}y${A}z', 'xoneyonez'],
    ['${env:A}', 'one'],
    ['${env:ProgramFiles(x86)}', 'C:\\P'],
    ['${_x9}', 'low'],
    ['${EMPTY}', ''],
    ['${EMPTY:-rest}', 'rest'],
    ['${A:-rest}', 'one'],
    ['${NONE:-rest}', 'rest'],
    ['${env:NONE:-rest}', 'rest'],
    ['${NONE:-}', ''],
    ['${NONE:-a:-b}', 'a:-b'],
    ['${NONE:-${A}}', 'one'],
    ['${NONE:-<${NADA:-${A}}>}', '<one>'],
    ['${HOLDS}', '${A} ~'],
    ['$${A}', '${A}'],
    ['$$${A}', '$${A}'],
    ['${workspaceFolder}/x', '/work/x'],
    ['a${/}b', 'a/b'],
    ['~', '/home/me'],
    ['~/x', '/home/me/x'],
    ['~x', '~x'],
    ['a~/x', 'a~/x'],
    ['--dir=~/x', '--dir=~/x'],
  ])('%j is filled in as %j', (text, expected) => {
    expect(filler(env)(text)).toBe(expected)
  })

  it.each(['$A', '${}', '${1}', '${#A}', '${A%.*}', '${A', 'A}', '$', '${ A }', '{env:A}', '{file:x}', '%A%'])('%j is text', (text) => {
    expect(filler(env)(text)).toBe(text)
  })

  it('of some hosts have further spellings', () => {
    expect(filler(env, { syntax: ['dollar'] })('$A-${A}-$1-$-$$A')).toBe('one-one-$1-$-$A')
    expect(() => filler(env, { syntax: ['dollar'] })('x$NOT.')).toThrow(/the variable NOT,/)
    expect(filler(env, { syntax: ['env-braces'] })('{env:A} {env} {x} {env:A')).toBe('one {env} {x} {env:A')
    expect(filler(env, { syntax: ['env-braces'], fetched: new Map([['file:~/key', 'k']]) })('<{file:~/key}>')).toBe('<k>')
  })

  it('may be answers', () => {
    expect(filler(env, { fetched: new Map([['input:key', '${A}']]) })('Bearer ${input:key}')).toBe('Bearer ${A}')
  })

  it.each<[string, RegExp]>([
    ['${NONE}', /needs the variable NONE, which is not set: set it, or write \$\{NONE:-default\}/],
    ['a${env:NONE}b', /the variable NONE/],
    ['${NONE:-${NADA}}', /the variable NADA/],
    ['${input:key}', /the input "key"/],
    ['${file:/x}', /the file \/x/],
    ['${command:pick}', /\$\{command:pick\}, which only the editor/],
    ['${config:a.b}', /\$\{config:a\.b\}/],
    ['${workspaceFolder:other}', /\$\{workspaceFolder:other\}/],
    ['${env:EVIL\u001b[31m}', /the variable EVIL\\u001b\[31m,/],
  ])('that nobody has are told: %j', (text, message) => {
    expect(() => filler(env)(text)).toThrow(InterpolationError)
    expect(() => filler(env)(text)).toThrow(message)
  })

  it('~ needs a home', () => {
    expect(() => filler({}, { home: undefined })('~/x')).toThrow(/home folder is not known/)
    expect(filler({}, { home: undefined })('x')).toBe('x')
  })
})

describe("a server's own variables", () => {
  const withOwn = (own: Record<string, string>, env: Record<string, string> = {}) => filler(env, { own: new Map(Object.entries(own)) })

  it('stand in for those that this process lacks', () => {
    expect(withOwn({ A: 'a${B}', B: 'b' })('<${A}>')).toBe('<ab>')
    expect(withOwn({ A: 'own' }, { A: 'process' })('${A}')).toBe('process')
  })

  it('may pass on what this process has under the same name', () => {
    expect(withOwn({ A: '${A}' }, { A: 'x' })('${A}')).toBe('x')
    expect(() => withOwn({ A: '${A}' })('${A}')).toThrow(/needs the variable A, which is not set/)
    expect(withOwn({ PATH: '/bin:${PATH:-}' })('${PATH}')).toBe('/bin:')
  })

  it('that need each other in a circle are told with the whole circle', () => {
    const fill = withOwn({ A: '${B}', B: 'x${C}', C: '${A}' })
    expect(() => fill('${A}')).toThrow(/A → B → C → A/)
    expect(() => fill('${C}')).toThrow(/C → A → B → C/)
    expect(withOwn({ A: '${B}', B: '${A}' }, { B: 'set' })('${A}')).toBe('set')
  })

  it('that name each other twice, and again, take neither exponential time nor space', () => {
    const own = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`V${i}`, `\${V${i + 1}}\${V${i + 1}}`]))
    expect(withOwn({ ...own, V60: '' })('${V0}')).toBe('')
    expect(() => withOwn({ ...own, V60: 'x' })('${V0}')).toThrow(`grows beyond ${MAX_EXPANDED_CHARS} characters`)
  })
})

describe('any text', () => {
  const plain = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('$') && !text.startsWith('~'))
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/)
  const anything = fc.string({ unit: fc.constantFrom('$', '{', '}', ':', '-', 'A', 'e', 'n', 'v', '~', '/', ' ') })

  it('without a variable comes out as it is', () => {
    fc.assert(
      fc.property(plain, (text) => {
        expect(filler({})(text)).toBe(text)
      }),
    )
  })

  it('around a variable comes out as it is, and what the variable holds is not looked at', () => {
    fc.assert(
      fc.property(plain, name, anything, plain, (before, variable, value, after) => {
        expect(filler({ [variable]: value }, { known: new Map() })(`${before}\${${variable}}${after}`)).toBe(before + value + after)
      }),
    )
  })

  it('with its dollars doubled before a brace is what it was', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const escaped = text.replaceAll('${', '$${')
        fc.pre(!text.startsWith('~') && !text.includes('$$'))
        expect(filler({})(escaped)).toBe(text)
      }),
    )
  })

  it('is filled in or told why not, and nothing else', () => {
    fc.assert(
      fc.property(anything, fc.dictionary(name, anything), (text, own) => {
        try {
          expect(typeof filler({ A: 'x' }, { own: new Map(Object.entries(own)), syntax: ['dollar', 'env-braces'] })(text)).toBe('string')
        } catch (error) {
          expect(error).toBeInstanceOf(InterpolationError)
        }
      }),
    )
  })

  it('of defaults in defaults ends at its limit as text', () => {
    const nested = (depth: number): string => (depth === 0 ? 'end' : `\${N:-${nested(depth - 1)}}`)
    expect(filler({})(nested(MAX_NESTED_DEFAULTS))).toBe('end')
    expect(filler({})(nested(MAX_NESTED_DEFAULTS + 1))).toBe('${N:-end}')
    expect(filler({})(nested(2_000)).startsWith('${N:-')).toBe(true)
  })
})
