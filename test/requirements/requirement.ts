import type { Evidence } from '../support/evidence.ts'

/** The protocol revisions that a rule belongs to: those with a handshake, those without, or all. */
export type Eras = 'legacy' | 'modern' | 'both'

export type State =
  | { readonly is: 'tested'; readonly shownBy: readonly Evidence[] }
  /** Only the program around this library can fulfil it; what the library does for it is shown or said. */
  | { readonly is: 'host'; readonly because: string; readonly shownBy: readonly Evidence[] }
  /** Cannot be broken here, or binds somebody else: why no test can fail for it. */
  | { readonly is: 'listed'; readonly because: string }
  /** Belongs to a piece of work that is not done. */
  | { readonly is: 'open'; readonly work: string }

/** One MUST or MUST NOT of the specification for a client, in our own words. */
export interface Requirement {
  /** The number of the rule: a letter or two for the chapter, and its place there. */
  readonly id: string
  readonly eras: Eras
  readonly rule: string
  readonly state: State
}

export interface Area {
  readonly title: string
  readonly requirements: readonly Requirement[]
}

export const tested = (...shownBy: readonly [Evidence, ...Evidence[]]): State => ({ is: 'tested', shownBy })

export const host = (because: string, ...shownBy: readonly Evidence[]): State => ({ is: 'host', because, shownBy })

export const listed = (because: string): State => ({ is: 'listed', because })

export const open = (work: string): State => ({ is: 'open', work })

export const must = (id: string, eras: Eras, rule: string, state: State): Requirement => ({ id, eras, rule, state })
