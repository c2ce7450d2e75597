import { CLAUDE_CODE } from './claude-code.ts'
import { CLAUDE_DESKTOP } from './claude-desktop.ts'
import { CLINE } from './cline.ts'
import { CODEX } from './codex.ts'
import { CURSOR } from './cursor.ts'
import { type Dialect, SHARED } from './dialect.ts'
import { GEMINI_CLI } from './gemini-cli.ts'
import { GOOSE } from './goose.ts'
import { LM_STUDIO } from './lm-studio.ts'
import { OPENCODE } from './opencode.ts'
import { VS_CODE, VS_CODE_SETTINGS } from './vs-code.ts'
import { WINDSURF } from './windsurf.ts'
import { ZED } from './zed.ts'

/** Every host whose files are looked for, in the order in which their servers win over others of the same name. */
export const HOSTS: readonly Dialect[] = [
  CLAUDE_CODE,
  VS_CODE,
  VS_CODE_SETTINGS,
  CURSOR,
  CODEX,
  GEMINI_CLI,
  OPENCODE,
  ZED,
  WINDSURF,
  CLINE,
  GOOSE,
  LM_STUDIO,
  CLAUDE_DESKTOP,
]

/** What a file of unknown origin may be, told by where its servers stand; the more particular first. */
export const SHAPES: readonly Dialect[] = [SHARED, VS_CODE, CODEX, ZED, VS_CODE_SETTINGS, OPENCODE, GOOSE]
