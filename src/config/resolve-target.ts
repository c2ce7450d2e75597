import { readTarget, type Target } from './target.ts'

/** What `resolveTarget` needs to know of its surroundings. */
export interface ResolveOptions {
  /** The command that runs the demo server on stdio. Default: `npx -y mcp-switchboard serve-demo`. */
  readonly demo?: readonly string[] | undefined
}

/**
 * Reads what a person wrote as a target, in this order: a URL with a scheme, `demo`, a command line that starts with a known program.
 * @throws TypeError when no reading fits; it says what to write instead.
 */
export async function resolveTarget(text: string, options: ResolveOptions = {}): Promise<Target> {
  const word = text.trim()
  if (HAS_SCHEME.test(word)) return checked(withKnownScheme(word))
  if (word === 'demo') return options.demo ?? ['npx', '-y', 'mcp-switchboard', 'serve-demo']
  return checked(word)
}

/** Two letters at least, so that a Windows drive is none. */
const HAS_SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i

function withKnownScheme(word: string): string {
  if (/^(?:https?|stdio):/i.test(word)) return word
  throw new TypeError(`"${word}" has a scheme that names no server: a target starts with https://, http:// or stdio://`)
}

function checked(word: string): string {
  readTarget(word)
  return word
}
