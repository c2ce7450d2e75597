#!/usr/bin/env node
/**
 * The benchmark's server on stdio: `node stdio.mjs [--tools 20] [--era legacy|modern] [--starts file]`.
 * Everything that one chunk asks for is answered with one write; that keeps the number of chunks a client
 * reads the same for every client, and so the work beside parsing them comparable.
 */
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { answer } from './answer.mjs'

const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: '20' },
    era: { type: 'string' },
    starts: { type: 'string' },
    // Not used: it makes one server another for a client that remembers servers.
    turn: { type: 'string' },
  },
})
const options = { tools: Number(values.tools), era: values.era }
// One byte per process: how many of them a client needed to connect.
if (values.starts) appendFileSync(values.starts, '.')

let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  let out = ''
  for (const line of lines) {
    if (line === '') continue
    const reply = answer(JSON.parse(line), options)
    if (reply === undefined) continue
    if (typeof reply === 'string') {
      out += `${reply}\n`
      continue
    }
    for (const batch of reply) process.stdout.write(`${batch.join('\n')}\n`)
  }
  if (out !== '') process.stdout.write(out)
})
process.stdin.on('end', () => process.exit(0))
