/** The revisions with a handshake, newest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** The revisions without one: every request stands alone. Newest first. */
export const MODERN_VERSIONS: readonly string[] = ['2026-07-28']

/** Every revision that this package speaks, newest first. */
export const PROTOCOL_VERSIONS: readonly string[] = [...MODERN_VERSIONS, ...LEGACY_VERSIONS]

/** What a caller may ask for: any, the newest of one era, or one revision. Only `auto` ever falls back. */
export type EraChoice = 'auto' | 'legacy' | 'modern' | (string & {})

/** What a choice allows: the versions of each era that may be spoken, newest first. */
export interface Allowed {
  legacy: readonly string[]
  modern: readonly string[]
}

export function allowedBy(choice: EraChoice): Allowed {
  if (choice === 'auto') return { legacy: LEGACY_VERSIONS, modern: MODERN_VERSIONS }
  if (choice === 'legacy') return { legacy: LEGACY_VERSIONS, modern: [] }
  if (choice === 'modern') return { legacy: [], modern: MODERN_VERSIONS }
  if (LEGACY_VERSIONS.includes(choice)) return { legacy: [choice], modern: [] }
  if (MODERN_VERSIONS.includes(choice)) return { legacy: [], modern: [choice] }
  throw new TypeError(
    `era: '${choice}' is not one of 'auto', 'legacy', 'modern', ${PROTOCOL_VERSIONS.map((version) => `'${version}'`).join(', ')}`,
  )
}

/** The newest version that both sides speak. */
export function mutual(ours: readonly string[], theirs: readonly unknown[]): string | undefined {
  return ours.find((version) => theirs.includes(version))
}
