import { start } from './clock.mjs'

/**
 * Connect and list every tool, in ms. Code is warm, the server is a new one each time, so nothing can come from a cache.
 *
 * @param params.tools how many the list has
 */
export async function prepare(open, target, { tools }) {
  let turn = 0
  await (await connectAndList(open, withTools(target, 300, ++turn), 300)).close()
  await (await connectAndList(open, withTools(target, 300, ++turn), 300)).close()

  async function list() {
    const server = withTools(target, tools, ++turn)
    const stop = start()
    const client = await connectAndList(open, server, tools)
    const times = stop()
    await client.close()
    return times
  }
  return { slices: { list } }
}

async function connectAndList(open, target, expected) {
  const client = await open(target)
  const found = await client.list()
  if (found.length !== expected) throw new Error(`expected ${expected} tools, got ${found.length}`)
  return client
}

function withTools(target, tools, turn) {
  if (target.url) return { ...target, url: `${target.url}?tools=${tools}&turn=${turn}` }
  return { ...target, command: [...target.command, '--tools', String(tools), '--turn', String(turn)] }
}
