import { start } from './clock.mjs'
import { watchPeak } from './memory-peak.mjs'

/** One large text result. CPU and wall in ms; `peak` is the rise of resident memory as a multiple of the result. */
export async function prepare(open, target, { bytes }) {
  const client = await open(target)
  for (let i = 0; i < 50; i++) await client.call('echo', { message: 'warm' })
  // A smaller one of the same kind: it warms the code, not the memory.
  await client.call('big', { bytes: 1_000_000 })
  globalThis.gc()

  async function one() {
    const peak = watchPeak()
    const stop = start()
    const result = await client.call('big', { bytes })
    const times = stop()
    const rise = peak()
    if (result.content[0].text.length !== bytes) throw new Error(`expected ${bytes} characters, got ${result.content[0].text.length}`)
    return { ...times, peak: rise / bytes }
  }
  return { slices: { one }, close: () => client.close() }
}
