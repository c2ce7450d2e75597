import { start } from './clock.mjs'

/** What a client still does behind a call is over by then; a pair has to be short. */
const SETTLE_MS = 5

/**
 * A call that meets a forgotten session, beside a connect as a user makes it (the revision is not known yet) with its first call; in turn,
 * either first. The server forgets each session behind its first call. `ratio` is the CPU of all recoveries over that of all connects.
 */
export async function prepare(open, target, { pairs }) {
  let turn = 0
  const connected = async () => {
    const client = await open({ url: `${target.url}?era=legacy&forget=1&turn=${++turn}` })
    await client.call('echo', { message: 'here' })
    return client
  }
  const lasting = await connected()
  const total = { recovery: 0, connect: 0 }
  const measured = {
    async recovery() {
      await lasting.call('echo', { message: 'again' })
    },
    async connect() {
      fresh = await connected()
    },
  }
  let fresh
  async function pair(index) {
    for (const what of index % 2 === 0 ? ['recovery', 'connect'] : ['connect', 'recovery']) {
      const stop = start()
      await measured[what]()
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      total[what] += stop().cpu
    }
    await fresh.close()
  }

  async function recover() {
    for (let index = 0; index < pairs; index++) await pair(index)
    return { ratio: total.recovery / total.connect, cpu: total.recovery / pairs, connect: total.connect / pairs }
  }
  // The first pairs would measure the compiler.
  for (let index = 0; index < 40; index++) await pair(index)
  total.recovery = 0
  total.connect = 0
  return { slices: { recovery: recover }, close: () => lasting.close() }
}
