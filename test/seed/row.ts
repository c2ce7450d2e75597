import type { Evidence } from '../support/evidence.ts'

/** The pieces of work that the product is made of; an open row names the one that will deliver it. */
export type Work =
  | 'foundation'
  | 'schemas'
  | 'failures'
  | 'features'
  | 'servers'
  | 'state'
  | 'oauth'
  | 'models'
  | 'terminal'
  | 'examples'
  | 'docs'
  | 'proof'

export type State =
  | { readonly is: 'done'; readonly shownBy: readonly Evidence[] }
  | { readonly is: 'different'; readonly because: string; readonly shownBy: readonly Evidence[] }
  | { readonly is: 'open'; readonly work: Work; readonly missing?: string; readonly shownBy: readonly Evidence[] }

/** One promise of the library that this product grew from. */
export interface Row {
  readonly no: number
  readonly feature: string
  /** The call, option or command here. */
  readonly form: string
  /** The work that it belongs to; the last one where several have a part. */
  readonly work: Work
  readonly state: State
}

export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
}

export const done = (...shownBy: readonly Evidence[]): State => ({ is: 'done', shownBy })

export const different = (because: string, ...shownBy: readonly Evidence[]): State => ({ is: 'different', because, shownBy })

/** Not there yet, or not shown yet; `missing` says what, when part of it is there. */
export const open = (work: Work, missing?: string, ...shownBy: readonly Evidence[]): State => ({
  is: 'open',
  work,
  ...(missing !== undefined && { missing }),
  shownBy,
})

export const row = (no: number, feature: string, form: string, work: Work, state: State): Row => ({ no, feature, form, work, state })

/** Rows that nothing is there for yet: number, feature and form. */
export const later = (work: Work, ...rows: readonly (readonly [no: number, feature: string, form: string])[]): Row[] =>
  rows.map(([no, feature, form]) => row(no, feature, form, work, open(work)))
