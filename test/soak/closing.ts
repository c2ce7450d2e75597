import { alive } from '../support/child-servers.ts'
import type { Member } from './member.ts'

export interface Closing {
  readonly ms: number
  /** Sentences about what is left a moment after it. */
  readonly left: readonly string[]
}

/** What the system needs to be seen done with sockets and processes. */
const MOMENT_MS = 1_000

/** Closes clients at once, each in the middle of a call, and looks at what is left of them. */
export async function closeAll(members: readonly Member[], handlesBefore: number): Promise<Closing> {
  const running = members.map((member) => member.work().catch(() => {}))
  await new Promise((resolve) => setImmediate(resolve))
  const began = performance.now()
  await Promise.all(members.map((member) => member.close()))
  const ms = performance.now() - began
  await Promise.all(running)
  let left = leftOf(members, handlesBefore)
  while (left.length > 0 && performance.now() - began < ms + MOMENT_MS) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    left = leftOf(members, handlesBefore)
  }
  return { ms, left }
}

function leftOf(members: readonly Member[], handlesBefore: number): string[] {
  const left = members.flatMap(({ pids }) => pids.filter(alive)).map((pid) => `the process ${pid}`)
  const handles = process.getActiveResourcesInfo()
  // The timer of this waiting itself is one of them.
  if (handles.length > handlesBefore + 1) left.push(`${handles.length - handlesBefore} handles: ${[...new Set(handles)].join(', ')}`)
  return left
}
