import { afterEach } from 'vitest'
import type { ClientGroup } from '../../src/client-group.ts'
import type { ServersSource } from '../../src/config/load-servers.ts'
import { connectGroup } from '../../src/connect-group.ts'
import type { GroupOptions } from '../../src/group-options.ts'

const open: ClientGroup[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((group) => group.close()))
})

/** Connects several servers for one test: closed after it, and silent unless the test says otherwise. */
export async function grouped(source: ServersSource, options: GroupOptions = {}): Promise<ClientGroup> {
  const group = await connectGroup(source, { logger: false, ...options })
  open.push(group)
  return group
}
