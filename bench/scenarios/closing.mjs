import { start } from './clock.mjs'

/** Closes clients at once, each with a session at the server and a call behind it. In ms for all of them. */
export async function prepare(open, target, { clients }) {
  let turn = 0

  async function all() {
    const opened = await Promise.all(Array.from({ length: clients }, () => open({ ...target, url: `${target.url}?turn=${++turn}` })))
    await Promise.all(opened.map((client) => client.call('echo', { message: 'here' })))
    const stop = start()
    await Promise.all(opened.map((client) => client.close()))
    return stop()
  }
  await all()
  return { slices: { all } }
}
