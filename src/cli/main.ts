#!/usr/bin/env node
import { createRequire } from 'node:module'
import { helpText } from './help.ts'

/** Help and version need neither the client nor a parser, so that they are there at once. */
function answered(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  const [first, second] = words
  if (first === '--version' || first === '-V') {
    const { version }: { version: string } = createRequire(import.meta.url)('mcp-switchboard/package.json')
    process.stdout.write(`${version}\n`)
  } else if (first === 'help') {
    process.stdout.write(helpText(second))
  } else if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(helpText(first))
  } else {
    return false
  }
  return true
}

const argv = process.argv.slice(2)
if (!answered(argv)) void import('./run.ts').then(({ run }) => run(argv))
