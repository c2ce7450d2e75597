/**
 * One client in a process of its own: `node measure.mjs '{"client":…,"scenario":…,"target":…,"params":…}'`.
 *
 * It gets ready (loads, connects, warms up), says `{"ready":true}`, and then measures one slice of work for each line it
 * is sent (`{"key":"@16"}`), answering with its numbers. The benchmark gives slices to all clients in turn, so
 * that a machine that slows down slows all of them.
 */
import process from 'node:process'
import { createInterface } from 'node:readline'

const { client, scenario, target, params } = JSON.parse(process.argv[2])
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

const driver = await import(`./clients/${client}.mjs`)
const { prepare } = await import(`./scenarios/${scenario}.mjs`)
// What a package costs to import has a row of its own; no other row pays for it.
await driver.load?.()
const { slices, close } = await prepare(driver.open, target, params)
say({ ready: true, node: process.version, keys: Object.keys(slices) })

for await (const line of createInterface({ input: process.stdin })) {
  const { key } = JSON.parse(line)
  say({ key, numbers: await slices[key]() })
}
await close?.()
process.exit(0)
