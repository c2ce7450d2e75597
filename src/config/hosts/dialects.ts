import { type Dialect, SHARED } from './dialect.ts'
import { VS_CODE, VS_CODE_SETTINGS } from './vs-code.ts'

/** In the order in which a file of unknown origin is compared with them. */
export const DIALECTS: readonly Dialect[] = [SHARED, VS_CODE, VS_CODE_SETTINGS]
