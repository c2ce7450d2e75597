import { settle, start } from './clock.mjs'

/**
 * Connects to an HTTP server. `first` is the first time in a process, where modules load and code is cold; `next`, asked for
 * afterwards, is the mean of `times` more. In ms per connect; CPU includes what a client still does after `connect` has resolved.
 */
export async function prepare(open, target, { times }) {
  const clients = []
  let turn = 0
  const connect = async () => clients.push(await open({ ...target, url: `${target.url}?turn=${++turn}` }))

  async function next() {
    // A few that do not count: the first slices would measure the compiler.
    for (let i = 0; i < times / 2; i++) await connect()
    await settle()
    const { cpu, wall } = await timed(async () => {
      for (let i = 0; i < times; i++) await connect()
    })
    return { cpu: cpu / times, wall: wall / times }
  }
  return {
    slices: { first: () => timed(connect), next },
    close: () => Promise.all(clients.map((client) => client.close())),
  }
}

async function timed(work) {
  const stop = start()
  await work()
  const { wall } = stop()
  await settle()
  return { cpu: stop().cpu, wall }
}
