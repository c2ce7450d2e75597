import { settle, start } from './clock.mjs'

/** One call that reports progress `count` times, in ms. `delivered` counts what came before the call resolved. */
export async function prepare(open, target, { count }) {
  const client = await open(target)
  await callWithProgress(client, count)
  await settle()

  async function progress() {
    const stop = start()
    const delivered = await callWithProgress(client, count)
    const times = stop()
    // What arrives late is lost to the caller; it must not fall into the next slice.
    await settle()
    return { ...times, delivered }
  }
  return { slices: { progress }, close: () => client.close() }
}

async function callWithProgress(client, count) {
  let delivered = 0
  let inOrder = true
  let resolved = false
  let last = 0
  await client.call('progress', { count }, ({ progress }) => {
    if (resolved) return
    delivered++
    inOrder &&= progress === ++last
  })
  resolved = true
  if (!inOrder) throw new Error('progress came out of order')
  return delivered
}
