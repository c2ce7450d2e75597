import { afterEach } from 'vitest'
import type { Client } from '../../src/client.ts'
import type { Target } from '../../src/config/target.ts'
import { connect } from '../../src/connect.ts'
import type { ConnectOptions } from '../../src/connect-options.ts'

const open: Client[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

/** Connects for one test: closed after it, and silent unless the test says otherwise. */
export async function connected(target: Target, options: ConnectOptions = {}): Promise<Client> {
  const client = await connect(target, { logger: false, ...options })
  open.push(client)
  return client
}
