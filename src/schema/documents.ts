import { ValidationError } from '../errors.ts'
import { compile, HOLDERS } from './compile.ts'
import { isCompound, isObject, isText, type JsonObject, step } from './json.ts'
import type { SchemaLimits } from './limits.ts'
import { safe } from './messages.ts'
import type { Node, Resource } from './node.ts'
import { limitReached } from './run.ts'

/** Keywords with subschemas under names. */
const NAMED = /^(?:\$defs|definitions|properties|patternProperties|depend.*)$/
const VALIDATION = 'https://json-schema.org/draft/2020-12/vocab/validation'
const KNOWN_DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/2020-12|draft-07)\/schema#?$/

/** What a validator gives each of its schemas: also the asserted formats, and further schemas by their URI. */
export interface Surroundings {
  readonly limits: SchemaLimits
  readonly formats: ReadonlySet<string>
  readonly others: ReadonlyMap<string, unknown>
}

/** One schema with everything it can refer to. */
export interface Documents {
  readonly root: Node
  /** What to note when `$schema` names a dialect that nobody here knows; the schema is then read as draft 2020-12 or 7. */
  readonly strange: string | undefined
}

/** Finds the subschemas of a schema, their identifiers and, when they are asked for, the targets of references. */
export function documents(schema: unknown, { limits, formats, others }: Surroundings): Documents {
  const resources = new Map<string, Resource>()
  const nodes = new Map<unknown, Node>()
  let [steps, count] = [limits.maxSchemaSteps, 0]
  const other = (uri: string): unknown => others.get(uri.replace(/#$/, ''))
  const dialectOf = (root: unknown): string | undefined => (isObject(root) && isText(root.$schema) ? root.$schema : undefined)

  const open = (root: unknown, uri: string, { draft7, asserts }: Pick<Resource, 'draft7' | 'asserts'>): Resource => {
    const dialect = dialectOf(root)
    if (dialect !== undefined) {
      const metaschema = other(dialect)
      const vocabularies = isObject(metaschema) && metaschema.$vocabulary
      draft7 = /draft-0[3467]/.test(dialect)
      asserts = !isObject(vocabularies) || Object.hasOwn(vocabularies, VALIDATION)
    }
    const resource: Resource = { uri, root, draft7, asserts, anchors: new Map(), dynamic: new Map() }
    if (!resources.has(uri)) resources.set(uri, resource)
    return resource
  }

  /** Makes the nodes of a schema and of all that stands below it in places for schemas. */
  const index = (schema: unknown, outer: Resource, pointer: string, depth = 0): Node => {
    if (++count > limits.maxSubschemas) limitReached('maxSubschemas', limits)
    if (depth > limits.maxDepth) limitReached('maxDepth', limits)
    const { $id, $ref, $anchor, $dynamicAnchor }: JsonObject = isObject(schema) ? schema : {}
    // Beside a reference draft 7 reads nothing.
    const id = isText($id) && !(outer.draft7 && $ref !== undefined) ? $id : '#'
    const uri = id.startsWith('#') || !URL.canParse(id, outer.uri) ? undefined : new URL(id, outer.uri).href.replace(/#.*/, '')
    const resource = uri === undefined ? outer : open(schema, uri, outer)
    const { draft7, anchors, dynamic } = resource
    const node: Node = {
      schema,
      resource,
      pointer,
      formats,
      check: (value, run) => {
        node.check = compile(node)
        return node.check(value, run)
      },
      child: (below, ...tokens) => nodes.get(below) ?? index(below, resource, tokens.reduce<string>(step, pointer)),
      resolve: (reference) => resolve(reference, resource),
    }
    if (!isObject(schema)) return node
    nodes.set(schema, node)
    if (draft7) anchors.set(id.replace(/.*#/, ''), node)
    if (!draft7 && isText($dynamicAnchor)) dynamic.set($dynamicAnchor, node)
    if (!draft7) for (const anchor of [$anchor, $dynamicAnchor]) if (isText(anchor)) anchors.set(anchor, node)
    for (const [key, value] of Object.entries(schema)) {
      if (--steps < 0) limitReached('maxSchemaSteps', limits)
      if (!HOLDERS.has(key) || !isCompound(value)) continue
      const place = step(pointer, key)
      if (isObject(value) && !NAMED.test(key)) index(value, resource, place, depth + 1)
      else for (const [name, item] of Object.entries(value)) if (isObject(item)) index(item, resource, step(place, name), depth + 1)
    }
    return node
  }

  const resolve = (reference: string, from: Resource): Node | undefined => {
    try {
      const [uri = '', fragment = ''] = reference.split(/#(.*)/s)
      const href = uri === '' ? from.uri : new URL(uri, from.uri).href
      if (!resources.has(href) && other(href) !== undefined) index(other(href), open(other(href), href, from), `${href}#`)
      const resource = uri === '' ? from : resources.get(href)
      const name = decodeURIComponent(fragment)
      return resource && (/^(?:\/|$)/.test(name) ? at(name, resource) : resource.anchors.get(name))
    } catch (error) {
      // An identifier that is no URI refers to nothing; limits pass through.
      if (error instanceof TypeError || error instanceof URIError) return undefined
      throw error
    }
  }

  /** Follows a JSON Pointer, also through keywords that nobody knows. */
  const at = (pointer: string, within: Resource): Node | undefined => {
    let [found, resource] = [within.root, within]
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
      found = isCompound(found) && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined
      resource = nodes.get(found)?.resource ?? resource
    }
    if (found === undefined) return undefined
    return nodes.get(found) ?? index(found, resource, (nodes.get(within.root)?.pointer ?? '') + pointer)
  }

  if (typeof schema !== 'boolean' && !isObject(schema))
    throw new ValidationError('a schema must be an object or a boolean', { reason: 'schema' })
  const root = index(schema, open(schema, 'schema:/', { draft7: false, asserts: true }), '')
  const dialect = dialectOf(schema)
  const known = dialect === undefined || KNOWN_DIALECT.test(dialect) || other(dialect) !== undefined
  const strange = known
    ? undefined
    : `the dialect ${safe(dialect)} is not known; it was read as draft ${root.resource.draft7 ? '7' : '2020-12'}`
  return { root, strange }
}
