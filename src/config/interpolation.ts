import { peerText } from '../protocol/peer-text.ts'
import { type Reference, type Template, templateOf, type VariableSyntax } from './template.ts'

/** What the references of a server's texts stand for. */
export interface Variables {
  /** A variable of this process. */
  readonly process: (name: string) => string | undefined
  /** Names that hosts give a meaning: `workspaceFolder`, `userHome`, `pathSeparator`, … */
  readonly known: ReadonlyMap<string, string>
  /** The variables that the server itself is given, as they are written. Asked only for what this process lacks. */
  readonly own: ReadonlyMap<string, string>
  /** Answers to questions and texts of files, by `keyOf` their reference. */
  readonly fetched: ReadonlyMap<string, string>
  /** The home folder, for `~`. */
  readonly home: string | undefined
  readonly syntax: readonly VariableSyntax[]
}

/** The longest text that may come out of one field; variables that name each other could make it grow without end. */
export const MAX_EXPANDED_CHARS = 131_072

/** A text could not be filled in; the message goes on after the name of the field, and names no value. */
export class InterpolationError extends Error {}

/** Under which key `fetched` holds what a reference stands for. */
export function keyOf({ kind, name }: Reference): string {
  return `${kind}:${name}`
}

/**
 * Fills in the variables of texts, and `~` at their start. What a variable holds is not read again, unless the server's own `env` holds it.
 * The function throws an `InterpolationError` for a variable that is not set, one that only an editor knows, a cycle, and a text too long.
 */
export function interpolator(variables: Variables): (text: string) => string {
  const { process, known, own, fetched, home, syntax } = variables
  /** Each is filled in once: variables that name others twice would take exponential time. */
  const done = new Map<string, string>()

  const fill = (template: Template, asking: readonly string[]): string => {
    let text = ''
    for (const part of template) {
      text += typeof part === 'string' ? part : standing(part, asking)
      if (text.length > MAX_EXPANDED_CHARS) throw new InterpolationError(`grows beyond ${MAX_EXPANDED_CHARS} characters`)
    }
    return text
  }
  const standing = (reference: Reference, asking: readonly string[]): string => {
    const value = reference.kind === 'variable' ? variable(reference.name, asking) : fetched.get(keyOf(reference))
    if (value !== undefined && (value !== '' || reference.fallback === undefined)) return value
    if (reference.fallback !== undefined) return fill(reference.fallback, asking)
    throw new InterpolationError(whyNot(reference))
  }
  /** Hosts look at their own process only, so it comes first; what it lacks may be a variable that the server is given anyway. */
  const variable = (name: string, asking: readonly string[]): string | undefined => {
    const value = known.get(name) ?? process(name) ?? done.get(name)
    if (value !== undefined) return value
    const written = own.get(name)
    if (written === undefined || asking.at(-1) === name) return undefined
    if (asking.includes(name)) {
      const cycle = [...asking.slice(asking.indexOf(name)), name].map(shown).join(' → ')
      throw new InterpolationError(`needs itself: ${cycle}; give one of them a value, or set it before you start`)
    }
    const filled = fill(templateOf(written, syntax), [...asking, name])
    done.set(name, filled)
    return filled
  }
  return (text) => withHome(fill(templateOf(text, syntax), []), text, home)
}

function whyNot({ kind, name }: Reference): string {
  if (kind === 'variable') return `needs the variable ${shown(name)}, which is not set: set it, or write \${${shown(name)}:-default}`
  if (kind === 'input') return `needs the input "${shown(name)}", and there is no answer to it`
  if (kind === 'file') return `needs the file ${shown(name)}, which cannot be read here`
  return `has \${${shown(name)}}, which only the editor that it was written for can fill in: write the value, or a variable`
}

function shown(name: string): string {
  return peerText(name, 100)
}

/** Only a `~` that was written, not one that a variable held. */
function withHome(text: string, written: string, home: string | undefined): string {
  if (!/^~(?:$|[/\\])/.test(written)) return text
  if (home === undefined) throw new InterpolationError('starts with ~, and the home folder is not known here')
  return home + text.slice(1)
}
