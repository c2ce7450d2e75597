/** The line that says what happened, from what a process wrote before it ended; without the folder this repository lies in. */
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export function reasonIn(output) {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((line) => /^\w*Error\b|Error:|npm error/.test(line)) ?? lines.at(-1) ?? 'no message'
  return line.trim().replaceAll(ROOT, '').slice(0, 160)
}
