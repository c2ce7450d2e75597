import type { Bug } from './bugs/bug.ts'
import { conversations } from './bugs/conversations.ts'
import { elsewhere } from './bugs/elsewhere.ts'
import { transports } from './bugs/transports.ts'

/** Faults that users of other clients have reported in public, and what shows that they do not occur here. */
export const bugs: readonly Bug[] = [...transports, ...conversations, ...elsewhere]
