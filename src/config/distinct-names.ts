import { ConfigError } from '../errors.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { ServerDefinition } from './server-definition.ts'

/** Two servers of one name become one that cannot be used: which of them was meant, nobody can tell. */
export function distinctNames(definitions: readonly ServerDefinition[]): ServerDefinition[] {
  const byName = new Map<string, ServerDefinition[]>()
  for (const definition of definitions) {
    const same = byName.get(definition.name)
    if (same === undefined) byName.set(definition.name, [definition])
    else same.push(definition)
  }
  return [...byName.values()].map((same) => merged(same))
}

function merged(same: readonly ServerDefinition[]): ServerDefinition {
  const [first] = same
  if (first === undefined) throw new TypeError('there is no definition')
  if (same.length === 1) return first
  const { name, origin } = first
  const places = same.map((each) => placeOf(each)).filter((place) => place !== undefined)
  const problem = new ConfigError(
    `${same.length} servers have the name "${peerText(name, 100)}"${places.length === 0 ? '' : ` (${places.join(', ')})`}: rename all but one`,
    { server: name, file: origin.file, line: origin.line },
  )
  const disabled = same.every((each) => each.disabled)
  return { ...first, disabled, problem, target: () => Promise.reject(problem) }
}

function placeOf({ origin: { file, line } }: ServerDefinition): string | undefined {
  return file === undefined || line === undefined ? file : `${file}:${line}`
}
