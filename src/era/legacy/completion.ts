import type { Era } from '../era.ts'

/** Servers declare that they complete since 2025-03-26, and take earlier answers since 2025-06-18. @see spec server/utilities/completion */
export function completion(version: string): Era['completion'] {
  return { declared: version >= '2025-03-26', context: version >= '2025-06-18' }
}
