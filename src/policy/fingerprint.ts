import type { Tool } from '../protocol/types.ts'

/** A definition that is nested deeper has no fingerprint. */
const MAX_DEPTH = 512

/** What a model or a person decides by. Icons and `_meta` may change from one listing to the next. */
const MEMBERS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'execution'] as const

/** SHA-256 of a definition, whatever the order of its members; undefined for one that is nested too deep. */
export async function fingerprint(tool: Tool): Promise<string | undefined> {
  const text = sorted(MEMBERS.map((member) => tool[member] ?? null))
  if (text === undefined) return undefined
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return `sha256-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function sorted(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const parts: string[] = []
  const entries: (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((each) => ['', each] as const)
    : Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [key, each] of entries) {
    const part = sorted(each, depth + 1)
    if (part === undefined) return undefined
    parts.push(Array.isArray(value) ? part : `${JSON.stringify(key)}:${part}`)
  }
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`
}
