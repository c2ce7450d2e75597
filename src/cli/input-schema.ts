import type { JSONSchema } from 'mcp-switchboard'

/** How many branches and references are looked at in a schema that nobody has to trust. */
const MAX_PARTS = 500

/** What a tool's input schema says about the names of its arguments. */
export class InputSchema {
  readonly #root: unknown

  constructor(root: JSONSchema) {
    this.#root = root
  }

  /** The arguments that the schema names, the required ones first. */
  get names(): readonly { readonly name: string; readonly required: boolean }[] {
    const required = new Set<unknown>()
    const names = new Set<string>()
    for (const part of this.#parts(this.#root)) {
      if (Array.isArray(part.required)) for (const name of part.required) required.add(name)
      if (isObject(part.properties)) for (const name of Object.keys(part.properties)) names.add(name)
    }
    const all = [...names].map((name) => ({ name, required: required.has(name) }))
    return [...all.filter((each) => each.required), ...all.filter((each) => !each.required)]
  }

  /** The schema of one argument; undefined when nothing is known about it. */
  argument(name: string): unknown {
    for (const part of this.#parts(this.#root)) {
      if (isObject(part.properties) && Object.hasOwn(part.properties, name)) return part.properties[name]
    }
    return isObject(this.#root) && isObject(this.#root.additionalProperties) ? this.#root.additionalProperties : undefined
  }

  /** Whether an argument that the schema does not name is an error. */
  get closed(): boolean {
    const root = this.#root
    if (!isObject(root) || isObject(root.patternProperties)) return false
    return root.additionalProperties === false || root.unevaluatedProperties === false
  }

  /** The alternatives of an argument's schema, references followed: each is a schema without `anyOf` and `oneOf`. */
  alternatives(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
    return this.#parts(schema).filter(
      (part) => 'type' in part || 'enum' in part || 'const' in part || 'properties' in part || 'items' in part,
    )
  }

  /** The schema and what it is made of, each part once. */
  #parts(schema: unknown): Readonly<Record<string, unknown>>[] {
    const parts = new Set<Readonly<Record<string, unknown>>>()
    const waiting: unknown[] = [schema]
    while (waiting.length > 0 && parts.size < MAX_PARTS) {
      const part = waiting.shift()
      if (!isObject(part) || parts.has(part)) continue
      parts.add(part)
      for (const key of ['allOf', 'anyOf', 'oneOf']) if (Array.isArray(part[key])) waiting.push(...part[key].slice(0, MAX_PARTS))
      if (typeof part.$ref === 'string') waiting.push(this.#resolve(part.$ref))
    }
    return [...parts]
  }

  #resolve(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined
    let place: unknown = this.#root
    for (const step of reference.slice(1).split('/').slice(1)) {
      const key = decoded(step)
      if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined
      place = (place as Record<string, unknown>)[key]
    }
    return place
  }
}

function decoded(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
