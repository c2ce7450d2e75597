import type { Params } from '../../jsonrpc/message.ts'

/** Protocol revisions with per-request metadata, newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']
/** Protocol revisions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** What a revision has. Revisions are dates, so they sort as text. */
export interface Features {
  readonly modern: boolean
  readonly batches: boolean
  readonly audio: boolean
  readonly progressMessage: boolean
  readonly completions: boolean
  readonly structured: boolean
  readonly links: boolean
  readonly elicitation: boolean
  readonly urlElicitation: boolean
  readonly coreTasks: boolean
  /** Streams begin with an event without data that only names the stream. */
  readonly priming: boolean
}

export function featuresOf(version: string): Features {
  const since = (revision: string): boolean => version >= revision
  return {
    modern: MODERN_VERSIONS.includes(version),
    batches: version === '2025-03-26',
    audio: since('2025-03-26'),
    progressMessage: since('2025-03-26'),
    completions: since('2025-03-26'),
    structured: since('2025-06-18'),
    links: since('2025-06-18'),
    elicitation: since('2025-06-18'),
    urlElicitation: since('2025-11-25'),
    coreTasks: version === '2025-11-25',
    priming: version === '2025-11-25',
  }
}

const KEYS_SINCE: Readonly<Record<string, string>> = {
  title: '2025-06-18',
  outputSchema: '2025-06-18',
  _meta: '2025-06-18',
  icons: '2025-11-25',
  websiteUrl: '2025-11-25',
}

/** A tool, prompt, resource, template or implementation without the fields that `version` does not have yet. */
export function fitDefinition(definition: Params, version: string): Params {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => version >= (KEYS_SINCE[key] ?? '')))
}
