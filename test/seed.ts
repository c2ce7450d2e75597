import { advanced } from './seed/advanced.ts'
import { annotations } from './seed/annotations.ts'
import { besideTheReadme } from './seed/beside-the-readme.ts'
import { calls } from './seed/calls.ts'
import { compatibility } from './seed/compatibility.ts'
import { definitionFile } from './seed/definition-file.ts'
import { examples } from './seed/examples.ts'
import { completionAndLogging, identity } from './seed/identity.ts'
import { models } from './seed/models.ts'
import { notifications } from './seed/notifications.ts'
import { oauth } from './seed/oauth.ts'
import { packaging } from './seed/package.ts'
import { protocol } from './seed/protocol.ts'
import { elicitation, roots, sampling } from './seed/questions.ts'
import { quickConnect } from './seed/quick-connect.ts'
import type { Section } from './seed/row.ts'
import { structured } from './seed/structured.ts'
import { tasks } from './seed/tasks.ts'
import { deadlines, progress } from './seed/while-it-runs.ts'

/** Every promise of the library that this product grew from, with the test that shows it, why it is different here, or who will deliver it. */
export const seed: readonly Section[] = [
  packaging,
  protocol,
  quickConnect,
  calls,
  annotations,
  structured,
  roots,
  sampling,
  progress,
  deadlines,
  identity,
  completionAndLogging,
  tasks,
  elicitation,
  advanced,
  definitionFile,
  models,
  examples,
  oauth,
  notifications,
  compatibility,
  besideTheReadme,
]
