import { bounded } from '../session/bounded.ts'
import type { Member } from './member.ts'

/** When a group is ready: all its servers are settled, the first can be used, or so many milliseconds have passed. */
export type Ready = 'all' | 'first' | number

/**
 * Starts servers and waits as long as `ready` says. What fails is a status of its server; those that are not there by then are late: the group
 * goes on without them.
 * @throws the signal's reason.
 */
export async function startUp(members: readonly Member[], ready: Ready, signal: AbortSignal | undefined): Promise<void> {
  const starting = members.filter(({ disabled }) => !disabled).map((member) => member.startWithGroup())
  const settled = Promise.allSettled(starting)
  // One that waits for its first use is not the first.
  const first = new Promise<void>((resolve) => {
    for (const each of starting) each.then((client) => client && resolve()).catch(() => {})
  })
  const enough = ready === 'first' ? Promise.race([first, settled]) : settled
  const limit = typeof ready === 'number' ? { ms: ready, error: () => TOO_LATE } : undefined
  await bounded<unknown>(enough, [signal], limit).catch((error: unknown) => {
    if (error !== TOO_LATE) throw error
  })
  for (const member of members) if (member.state === 'connecting') member.late = true
}

const TOO_LATE = Symbol('the time that the group waits is over')
