// Feeds every parser seeded random and damaged input: `tsx --conditions=switchboard-source test/fuzz/run.ts [--seconds 10] [--only name]
// [--seed n] [--index n]`. The seconds are for all of them together. Ends with code 1 and the case when something does not hold.
import { parseArgs } from 'node:util'
import { type Random, random } from '../faults/random.ts'
import { growth } from './growth.ts'
import { headerValues, toolHeaders } from './headers.ts'
import { lineFraming } from './line-framing.ts'
import { messages } from './messages.ts'
import { sseReader } from './sse-reader.ts'
import type { FuzzTarget } from './target.ts'
import { commandLines, edges, peerTexts, replies } from './texts.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    seed: { type: 'string' },
    index: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)

/** One target with its type of input hidden. */
interface Runnable {
  readonly name: string
  readonly growing: FuzzTarget['growing']
  readonly once: (dice: Random) => { failure: string; input: unknown } | undefined
}

const all = [
  runnable(lineFraming),
  runnable(sseReader),
  runnable(messages),
  runnable(headerValues),
  runnable(toolHeaders),
  runnable(commandLines),
  runnable(edges),
  runnable(peerTexts),
  runnable(replies),
]
const chosen = all.filter(({ name }) => values.only === undefined || name === values.only)
if (chosen.length === 0) throw new TypeError(`there are ${all.map(({ name }) => name).join(', ')}`)
const accidents: string[] = []
process.on('unhandledRejection', (error) => accidents.push(error instanceof Error ? (error.stack ?? error.message) : String(error)))

console.log(`seed ${seed}`)
let failed = 0
for (const target of chosen) {
  const problems = [...(await fuzz(target)), ...growth(target.growing)]
  failed += problems.length === 0 ? 0 : 1
  for (const problem of problems) console.log(problem)
}
console.log(`${chosen.length - failed} passed, ${failed} failed, 0 skipped`)
process.exit(failed === 0 ? 0 : 1)

function runnable<Input>(target: FuzzTarget<Input>): Runnable {
  return {
    name: target.name,
    growing: target.growing,
    once(dice) {
      const input = target.input(dice)
      try {
        target.check(input, dice)
        return undefined
      } catch (error) {
        return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error), input }
      }
    },
  }
}

/** Runs until its share of the time is over, or something does not hold. */
async function fuzz({ name, once }: Runnable): Promise<string[]> {
  const until = performance.now() + (Number(values.seconds) * 1_000) / chosen.length
  let index = Number(values.index ?? 0)
  const accidentsBefore = accidents.length
  do {
    const found = once(random(seed, index))
    if (found !== undefined) return [report(name, index, found.failure, found.input)]
    // What promises have to say comes between.
    if (index % 64 === 0) await new Promise((resolve) => setImmediate(resolve))
    const [accident] = accidents.slice(accidentsBefore)
    if (accident !== undefined) return [report(name, index, `in one of the last 64: ${accident}`, undefined)]
    index++
  } while (values.index === undefined && performance.now() < until)
  console.log(`${name}: ${index - Number(values.index ?? 0)} inputs`)
  return []
}

function report(name: string, index: number, failure: string, input: unknown): string {
  return `broken: ${name}, again with --seed ${seed} --only ${name} --index ${index}\n${failure}\n${JSON.stringify(input)?.slice(0, 2_000)}`
}
