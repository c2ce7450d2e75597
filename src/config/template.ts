/** What a text asks for. `name` is the variable, the id of the question, the path of the file, or the whole of what no one else knows. */
export interface Reference {
  readonly kind: 'variable' | 'input' | 'file' | 'unknown'
  readonly name: string
  /** What stands behind `:-`. */
  readonly fallback: Template | undefined
}

/** A text cut into what stands as it is and what is filled in. */
export type Template = readonly (string | Reference)[]

/** Ways to write a variable that only some hosts have: `$NAME` and `{env:NAME}` with `{file:path}`. */
export type VariableSyntax = 'dollar' | 'env-braces'

/** How deep a default may stand inside a default; what is deeper stays text. */
export const MAX_NESTED_DEFAULTS = 8

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Windows has names such as `ProgramFiles(x86)`. */
const ENV_NAME = /^[^\s{}$:=]+$/

/**
 * Reads `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}` and `${file:path}`; a doubled `$` before them is a plain one. What is
 * none of these, such as `${1}` in a shell command, stays text.
 */
export function templateOf(text: string, syntax: readonly VariableSyntax[] = [], depth = 0): Template {
  const parts: (string | Reference)[] = []
  let plain = ''
  const closed = closings(text)
  let at = 0
  while (at < text.length) {
    const found = escapeAt(text, at, syntax) ?? referenceAt(text, at, closed.get(at), syntax, depth)
    const part = found?.part ?? text.charAt(at)
    if (typeof part === 'string') plain += part
    else {
      if (plain !== '') parts.push(plain)
      plain = ''
      parts.push(part)
    }
    at += found?.length ?? 1
  }
  if (plain !== '') parts.push(plain)
  return parts
}

interface Found {
  readonly length: number
  readonly part: string | Reference
}

function escapeAt(text: string, at: number, syntax: readonly VariableSyntax[]): Found | undefined {
  const escaped = text.startsWith('$$', at) && (text[at + 2] === '{' || (syntax.includes('dollar') && /\w/.test(text.charAt(at + 2))))
  return escaped ? { length: 2, part: '$' } : undefined
}

function referenceAt(
  text: string,
  at: number,
  end: number | undefined,
  syntax: readonly VariableSyntax[],
  depth: number,
): Found | undefined {
  if (end !== undefined) {
    const part = referenceIn(text.slice(at + 2, end), syntax, depth)
    return part && { length: end + 1 - at, part }
  }
  if (text[at] === '$' && syntax.includes('dollar')) {
    const [, name] = matchAt(BARE, text, at)
    return name === undefined ? undefined : { length: name.length + 1, part: { kind: 'variable', name, fallback: undefined } }
  }
  if (text[at] === '{' && syntax.includes('env-braces')) {
    const [whole, word, name] = matchAt(BRACED, text, at)
    if (whole === undefined || name === undefined) return undefined
    return { length: whole.length, part: { kind: word === 'env' ? 'variable' : 'file', name, fallback: undefined } }
  }
  return undefined
}

const BARE = /\$([A-Za-z_][A-Za-z0-9_]*)/y
const BRACED = /\{(env|file):([^{}\n]+)\}/y

function matchAt(pattern: RegExp, text: string, at: number): readonly string[] {
  pattern.lastIndex = at
  return pattern.exec(text) ?? []
}

/** For each `${` that is closed, where its brace stands. */
function closings(text: string): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  const open: number[] = []
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '$' && text[i + 1] === '{') open.push(i)
    if (text[i] !== '}') continue
    const start = open.pop()
    if (start !== undefined) found.set(start, i)
  }
  return found
}

function referenceIn(inside: string, syntax: readonly VariableSyntax[], depth: number): Reference | undefined {
  const split = inside.indexOf(':-')
  const head = split === -1 ? inside : inside.slice(0, split)
  if (split !== -1 && depth >= MAX_NESTED_DEFAULTS) return undefined
  const fallback = split === -1 ? undefined : templateOf(inside.slice(split + 2), syntax, depth + 1)
  if (NAME.test(head) || head === '/') return { kind: 'variable', name: head, fallback }
  const [, word, name = ''] = /^([A-Za-z]\w*):(.+)$/s.exec(head) ?? []
  if (word === undefined) return undefined
  if (word === 'env') return ENV_NAME.test(name) ? { kind: 'variable', name, fallback } : undefined
  if (word === 'input' || word === 'file') return { kind: word, name, fallback }
  return { kind: 'unknown', name: head, fallback }
}
