import { start } from './clock.mjs'

/**
 * Small calls with some number in flight, one key for each (`@1`, `@16`, `@256`). Numbers are µs per call.
 *
 * @param params.levels `[{ inFlight, calls }]`: how many calls one slice makes; as many as six slices make go before as a warm-up
 */
export async function prepare(open, target, { levels }) {
  const client = await open(target)
  const slices = {}
  for (const { inFlight, calls } of levels) {
    await window(client, inFlight, calls * 6)
    slices[`@${inFlight}`] = async () => {
      // The first calls after a pause fill caches that the other processes have emptied.
      await window(client, inFlight, Math.ceil(calls / 5))
      const stop = start()
      await window(client, inFlight, calls)
      const { cpu, wall } = stop()
      return { cpu: (cpu * 1e3) / calls, wall: (wall * 1e3) / calls }
    }
  }
  return { slices, close: () => client.close() }
}

/** Keeps `inFlight` calls open until `calls` are done. */
async function window(client, inFlight, calls) {
  let left = calls
  async function lane() {
    while (left > 0) {
      const message = `message ${left--}`
      const result = await client.call('echo', { message })
      if (result.content[0].text !== message) throw new Error(`asked for ${message}, got ${JSON.stringify(result)}`)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
}
