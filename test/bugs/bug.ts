import type { Evidence } from '../support/evidence.ts'

export type Area =
  | 'stdio'
  | 'http'
  | 'sse'
  | 'legacy-sse'
  | 'protocol'
  | 'pagination'
  | 'timeout'
  | 'leaks'
  | 'network'
  | 'reconnect'
  | 'schema'
  | 'vendor'
  | 'names'
  | 'results'
  | 'oauth'
  | 'config'
  | 'multi'

export type State =
  | { readonly is: 'shown'; readonly shownBy: readonly [Evidence, ...Evidence[]] }
  /** Belongs to another piece of work, which has to show it. */
  | { readonly is: 'listed'; readonly work: 'login' | 'models' | 'groups' | 'configuration' | 'features' }

/** A fault that users of other clients have reported in public, as a kind. */
export interface Bug {
  readonly no: number
  readonly area: Area
  readonly kind: string
  readonly state: State
}

export const shown = (...shownBy: readonly [Evidence, ...Evidence[]]): State => ({ is: 'shown', shownBy })

export const bug = (no: number, area: Area, kind: string, state: State): Bug => ({ no, area, kind, state })

/** Faults of another piece of work: numbers and kinds. */
export const listed = (
  work: (State & { is: 'listed' })['work'],
  area: Area,
  ...bugs: readonly (readonly [no: number, kind: string])[]
): Bug[] => bugs.map(([no, kind]) => bug(no, area, kind, { is: 'listed', work }))
