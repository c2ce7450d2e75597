import { ValidationError } from '../errors.ts'
import { isObject, own } from './json.ts'
import type { SchemaLimits } from './limits.ts'
import { type Library, Node, type Resource } from './node.ts'
import { type Check, limitReached } from './run.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
// Where subschemas stand: in the value itself or in a list, or under names.
const DIRECT = 'additionalProperties propertyNames items contains not if then else allOf anyOf oneOf'
const NAMED = words('properties patternProperties $defs definitions dependentSchemas dependencies')
const DRAFT7 = words(`${DIRECT} additionalItems`)
const DRAFT2020 = words(`${DIRECT} unevaluatedItems unevaluatedProperties prefixItems contentSchema`)
const VALIDATION = 'https://json-schema.org/draft/2020-12/vocab/validation'
const KNOWN_DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/2020-12|draft-07)\/schema#?$/

type Dialect = Pick<Resource, 'draft7' | 'asserts'>
type Tokens = readonly (string | number)[]

/** One schema with everything it can refer to: finds the subschemas, their identifiers and the targets of references. */
export class Documents implements Library {
  readonly root: Node
  /** Set when `$schema` names a dialect that nobody here knows; the schema is then read as draft 2020-12 or 7. */
  readonly strange: string | undefined
  readonly build: (node: Node) => Check
  dynamic: boolean
  private readonly resources = new Map<string, Resource>()
  private readonly nodes = new Map<object, Node>()
  private readonly limits: SchemaLimits
  private readonly others: ReadonlyMap<string, unknown>
  private steps: number
  private count = 0

  constructor(schema: unknown, limits: SchemaLimits, others: ReadonlyMap<string, unknown>, build: (node: Node) => Check) {
    if (typeof schema !== 'boolean' && !isObject(schema))
      throw new ValidationError('a schema must be an object or a boolean', { reason: 'schema' })
    this.limits = limits
    this.others = others
    this.build = build
    this.steps = limits.maxSchemaSteps
    this.dynamic = others.size > 0
    this.root = this.index(schema, this.open(schema, 'schema:/', { draft7: false, asserts: true }), 0, '', [])
    const dialect = isObject(schema) ? own(schema, '$schema') : undefined
    if (typeof dialect === 'string' && !KNOWN_DIALECT.test(dialect) && !others.has(dialect.replace(/#$/, ''))) this.strange = dialect
  }

  node(schema: unknown, parent: Node, tokens: Tokens): Node {
    return (isObject(schema) && this.nodes.get(schema)) || this.index(schema, parent.resource, 0, parent, tokens)
  }

  resolve(reference: string, { resource: from }: Node): Node | undefined {
    try {
      const [uri = '', ...rest] = reference.split('#')
      const resource = uri === '' ? from : this.resource(new URL(uri, from.uri).href, from)
      const fragment = decodeURIComponent(rest.join('#'))
      return resource && (fragment === '' || fragment.startsWith('/') ? this.at(fragment, resource) : resource.anchors.get(fragment))
    } catch (error) {
      // An identifier that is no URI refers to nothing; limits pass through.
      if (error instanceof TypeError || error instanceof URIError) return undefined
      throw error
    }
  }

  private resource(uri: string, from: Dialect): Resource | undefined {
    const schema = this.others.get(uri)
    if (schema !== undefined && !this.resources.has(uri)) this.index(schema, this.open(schema, uri, from), 0, `${uri}#`, [])
    return this.resources.get(uri)
  }

  /** Follows a JSON Pointer, also through keywords that nobody knows. */
  private at(pointer: string, { root }: Resource): Node | undefined {
    let found = root
    let above = this.node(root, this.root, [])
    let below: string[] = []
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
      found = typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined
      const known = isObject(found) ? this.nodes.get(found) : undefined
      above = known ?? above
      below = known ? [] : [...below, name]
    }
    if (found === undefined) return undefined
    return below.length === 0 ? above : this.node(found, above, below)
  }

  private open(schema: unknown, uri: string, inherited: Dialect): Resource {
    const name = isObject(schema) ? own(schema, '$schema') : undefined
    let { draft7, asserts } = inherited
    if (typeof name === 'string') {
      const metaschema = this.others.get(name.replace(/#$/, ''))
      const vocabularies = isObject(metaschema) ? own(metaschema, '$vocabulary') : undefined
      draft7 = /draft-0[3467]/.test(name)
      asserts = !isObject(vocabularies) || Object.hasOwn(vocabularies, VALIDATION)
    }
    const resource = { uri, root: schema, draft7, asserts, anchors: new Map(), dynamicAnchors: new Map() }
    if (!this.resources.has(uri)) this.resources.set(uri, resource)
    return resource
  }

  /** Makes the nodes of a schema and of all that stands below it in places for schemas. */
  private index(schema: unknown, outer: Resource, depth: number, above: Node | string, tokens: Tokens): Node {
    if (++this.count > this.limits.maxSubschemas) limitReached('maxSubschemas', this.limits)
    if (depth > this.limits.maxDepth) limitReached('maxDepth', this.limits)
    if (!isObject(schema)) return new Node(this, schema, outer, above, tokens)
    const keys = Object.keys(schema)
    this.steps -= keys.length
    const alone = outer.draft7 && Object.hasOwn(schema, '$ref')
    const { $id: id, $anchor, $dynamicAnchor } = schema
    const identified = typeof id === 'string' && !alone
    const resource =
      identified && !id.startsWith('#') && URL.canParse(id, outer.uri)
        ? this.open(schema, new URL(id, outer.uri).href.replace(/#.*/, ''), outer)
        : outer
    const { draft7, anchors, dynamicAnchors } = resource
    const node = new Node(this, schema, resource, above, tokens)
    this.nodes.set(schema, node)
    if (draft7 && identified && id.includes('#')) anchors.set(id.replace(/.*#/, ''), node)
    if (!draft7 && typeof $anchor === 'string') anchors.set($anchor, node)
    if (!draft7 && typeof $dynamicAnchor === 'string') {
      this.dynamic = true
      anchors.set($dynamicAnchor, node)
      dynamicAnchors.set($dynamicAnchor, node)
    }
    for (const key of keys) {
      const value = schema[key]
      const named = NAMED.has(key)
      if (!(named || (draft7 ? DRAFT7 : DRAFT2020).has(key))) continue
      if (isObject(value) && !named) this.index(value, resource, depth + 1, node, [key])
      else if (typeof value === 'object' && value !== null) {
        for (const [name, item] of Object.entries(value)) if (isObject(item)) this.index(item, resource, depth + 1, node, [key, name])
      }
    }
    if (this.steps < 0) limitReached('maxSchemaSteps', this.limits)
    return node
  }
}
