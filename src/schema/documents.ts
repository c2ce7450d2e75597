import { ValidationError } from '../errors.ts'
import { isObject, type JsonObject, own } from './json.ts'
import type { SchemaLimits } from './limits.ts'
import { type Dialect, type Library, Node, type Resource } from './node.ts'
import { type Check, limitReached } from './run.ts'

// Where subschemas stand: in the value itself, in a list, or under names.
const ONE = ['additionalProperties', 'propertyNames', 'items', 'contains', 'not', 'if', 'then', 'else']
const ONE_2020 = ['unevaluatedItems', 'unevaluatedProperties', 'contentSchema']
const MANY = ['allOf', 'anyOf', 'oneOf']
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions']
const DRAFT7: ReadonlySet<string> = new Set([...ONE, ...MANY, ...NAMED, 'additionalItems', 'dependencies'])
const DRAFT2020: ReadonlySet<string> = new Set([...ONE, ...ONE_2020, ...MANY, ...NAMED, 'prefixItems', 'dependentSchemas'])

const VALIDATION = 'https://json-schema.org/draft/2020-12/vocab/validation'
const KNOWN_DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/2020-12|draft-07)\/schema#?$/

/** One schema with everything it can refer to: finds the subschemas, their identifiers and the targets of references. */
export class Documents implements Library {
  readonly root: Node
  /** Set when `$schema` names a dialect that nobody here knows; the schema is then read as draft 2020-12 or 7. */
  readonly strange: string | undefined
  dynamic: boolean
  readonly build: (node: Node) => Check
  private readonly resources = new Map<string, Resource>()
  private readonly nodes = new Map<object, Node>()
  private readonly limits: SchemaLimits
  private readonly others: ReadonlyMap<string, unknown>
  private steps: number
  private count = 0

  constructor(schema: unknown, limits: SchemaLimits, others: ReadonlyMap<string, unknown>, build: (node: Node) => Check) {
    if (typeof schema !== 'boolean' && !isObject(schema)) {
      throw new ValidationError('a schema must be an object or a boolean', { reason: 'schema' })
    }
    this.limits = limits
    this.others = others
    this.dynamic = others.size > 0
    this.build = build
    this.steps = limits.maxSchemaSteps
    this.root = this.document(schema, 'schema:/', '', { draft7: false, asserts: true })
    const dialect = isObject(schema) ? own(schema, '$schema') : undefined
    if (typeof dialect === 'string' && !KNOWN_DIALECT.test(dialect) && !others.has(dialect.replace(/#$/, ''))) this.strange = dialect
  }

  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) limitReached('maxSchemaSteps', this.limits)
  }

  node(schema: unknown, parent: Node, tokens: readonly (string | number)[]): Node {
    return (isObject(schema) && this.nodes.get(schema)) || this.index(schema, parent.resource, 0, parent, tokens)
  }

  resolve(reference: string, from: Node): Node | undefined {
    try {
      const hash = `${reference}#`.indexOf('#')
      const resource =
        hash === 0 ? from.resource : this.resource(new URL(reference.slice(0, hash), from.resource.uri).href, from.resource.dialect)
      if (resource === undefined) return undefined
      const fragment = decodeURIComponent(reference.slice(hash + 1))
      return fragment === '' || fragment.startsWith('/') ? this.at(fragment, resource) : resource.anchors.get(fragment)
    } catch (error) {
      // An identifier that is no URI refers to nothing; limits pass through.
      if (error instanceof TypeError || error instanceof URIError) return undefined
      throw error
    }
  }

  private resource(uri: string, dialect: Dialect): Resource | undefined {
    if (!this.resources.has(uri) && this.others.has(uri)) this.document(this.others.get(uri), uri, `${uri}#`, dialect)
    return this.resources.get(uri)
  }

  private document(schema: unknown, uri: string, pointer: string, dialect: Dialect): Node {
    return this.index(schema, this.open(schema, uri, pointer, dialect), 0)
  }

  private at(pointer: string, resource: Resource): Node | undefined {
    const tokens = pointer
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    let found: unknown = resource.root
    let above = this.node(found, this.root, [])
    const below: string[] = []
    for (const token of tokens) {
      found = Array.isArray(found) ? found[Number(token)] : isObject(found) ? own(found, token) : undefined
      below.push(token)
      const known = isObject(found) && this.nodes.get(found)
      if (known) above = known
      if (known) below.length = 0
    }
    return found === undefined ? undefined : below.length === 0 ? above : this.node(found, above, below)
  }

  private open(schema: unknown, uri: string, pointer: string, inherited: Dialect): Resource {
    const name = isObject(schema) ? own(schema, '$schema') : undefined
    const dialect = typeof name === 'string' ? this.dialect(name) : inherited
    const resource = { uri, root: schema, pointer, dialect, anchors: new Map(), dynamicAnchors: new Map() }
    if (!this.resources.has(uri)) this.resources.set(uri, resource)
    return resource
  }

  private dialect(name: string): Dialect {
    const metaschema = this.others.get(name.replace(/#$/, ''))
    const vocabularies = isObject(metaschema) ? own(metaschema, '$vocabulary') : undefined
    return { draft7: /draft-0[3467]/.test(name), asserts: !isObject(vocabularies) || Object.hasOwn(vocabularies, VALIDATION) }
  }

  private index(schema: unknown, outer: Resource, depth: number, parent?: Node, tokens: readonly (string | number)[] = []): Node {
    if (++this.count > this.limits.maxSubschemas) limitReached('maxSubschemas', this.limits)
    if (depth > this.limits.maxDepth) limitReached('maxDepth', this.limits)
    if (!isObject(schema)) return new Node(this, schema, outer, parent, tokens)
    const keys = Object.keys(schema)
    this.spend(1 + keys.length)
    const resource = this.enter(schema, outer)
    const node = new Node(this, schema, resource, parent, tokens)
    this.nodes.set(schema, node)
    const { draft7 } = resource.dialect
    if (!draft7 || !Object.hasOwn(schema, '$ref')) this.name(schema, node)
    for (const key of keys) {
      if (!(draft7 ? DRAFT7 : DRAFT2020).has(key)) continue
      const value = schema[key]
      // A value of another shape is left to the keyword, which reports it if a check ever gets there.
      if (Array.isArray(value)) value.forEach((item, i) => void (isObject(item) && this.index(item, resource, depth + 1, node, [key, i])))
      else if (!isObject(value)) continue
      else if (NAMES.has(key)) {
        for (const name of Object.keys(value)) {
          const item = value[name]
          if (isObject(item)) this.index(item, resource, depth + 1, node, [key, name])
        }
      } else this.index(value, resource, depth + 1, node, [key])
    }
    return node
  }

  /** The resource that a schema is in: its own when it has an identifier. */
  private enter(schema: JsonObject, outer: Resource): Resource {
    const id = own(schema, '$id')
    if (typeof id !== 'string' || id.startsWith('#')) return outer
    if (Object.hasOwn(schema, '$ref') && outer.dialect.draft7) return outer
    if (!URL.canParse(id, outer.uri)) return outer
    const uri = new URL(id, outer.uri)
    uri.hash = ''
    return this.open(schema, uri.href.replace(/#$/, ''), outer.pointer, outer.dialect)
  }

  private name(schema: JsonObject, node: Node): void {
    const { anchors, dynamicAnchors, dialect } = node.resource
    const [id, anchor, dynamic] = [own(schema, '$id'), own(schema, '$anchor'), own(schema, '$dynamicAnchor')]
    if (dialect.draft7) {
      if (typeof id === 'string' && id.includes('#')) anchors.set(id.slice(id.indexOf('#') + 1), node)
      return
    }
    for (const name of [anchor, dynamic]) if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, node)
    this.dynamic ||= typeof dynamic === 'string'
    if (typeof dynamic === 'string' && !dynamicAnchors.has(dynamic)) dynamicAnchors.set(dynamic, node)
  }
}

const NAMES: ReadonlySet<string> = new Set([...NAMED, 'dependentSchemas', 'dependencies'])
