import { start } from './clock.mjs'

/** Connects to every server at once and lists the tools of each. In ms for all of them. */
export async function prepare(open, target, { ports }) {
  let turn = 0

  async function all() {
    turn++
    const stop = start()
    const clients = await Promise.all(
      ports.map((port) => connectAndList(open, { ...target, url: `http://127.0.0.1:${port}/json/mcp?tools=20&turn=${turn}` })),
    )
    const times = stop()
    await Promise.all(clients.map((client) => client.close()))
    return times
  }
  await all()
  return { slices: { all } }
}

async function connectAndList(open, target) {
  const client = await open(target)
  const tools = await client.list()
  if (tools.length !== 20) throw new Error(`expected 20 tools, got ${tools.length}`)
  return client
}
