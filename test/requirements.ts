import { authorization } from './requirements/authorization.ts'
import { questions, rounds, safety, subscriptions, tasks, tools, utilities } from './requirements/features.ts'
import { discovery, lifecycle, messages } from './requirements/messages.ts'
import type { Area } from './requirements/requirement.ts'
import { httpSse, stdio, streamableHttp } from './requirements/transports.ts'

/** Every MUST and MUST NOT of the specification for a client, with the test that shows it, or the reason why none does. */
export const requirements: readonly Area[] = [
  messages,
  lifecycle,
  discovery,
  stdio,
  streamableHttp,
  httpSse,
  authorization,
  utilities,
  tasks,
  tools,
  questions,
  rounds,
  subscriptions,
  safety,
]
