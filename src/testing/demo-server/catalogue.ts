import { RpcError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/codec.ts'
import { INVALID_PARAMS } from '../../jsonrpc/error-code.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { ICONS, PNG_BASE64, text } from './content.ts'
import type { DemoCore } from './core.ts'
import { type Features, fitDefinition } from './revision.ts'
import { SKILL_METHODS, skillFile } from './skills.ts'
import { toolDefinitions } from './tools.ts'

/** Resource not found; the modern revisions say invalid params. */
export const RESOURCE_NOT_FOUND = -32002

interface Context {
  readonly core: DemoCore
  readonly version: string
  readonly features: Features
}

const ITEMS = 250
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  en: ['Ada', 'Alan', 'Grace', 'Tim'],
  de: ['Anna', 'Emil', 'Konrad'],
  fr: ['Agnès', 'Blaise', 'Sophie'],
}
const GREETINGS: Readonly<Record<string, string>> = { en: 'Hello', de: 'Guten Tag', fr: 'Bonjour' }

const PROMPTS: readonly Params[] = [
  {
    name: 'greet',
    title: 'Greet',
    description: 'Greets somebody.',
    icons: ICONS,
    arguments: [
      { name: 'name', description: 'Whom', required: true },
      { name: 'lang', description: 'en, de or fr', required: false },
    ],
  },
]
const RESOURCES: readonly Params[] = [
  {
    uri: 'demo://text',
    name: 'text',
    title: 'A text',
    description: 'A line of text.',
    mimeType: 'text/plain',
    annotations: { audience: ['user'], priority: 0.8 },
    _meta: { 'com.example/kind': 'demo' },
  },
  { uri: 'demo://image', name: 'image', title: 'An image', description: 'A PNG.', mimeType: 'image/png', icons: ICONS },
  { uri: 'demo://clock', name: 'clock', title: 'A clock', description: 'Changes; can be watched.', mimeType: 'text/plain' },
]
const TEMPLATES: readonly Params[] = [
  { uriTemplate: 'demo://item/{id}', name: 'item', title: 'An item', description: `Items 1 to ${ITEMS}.`, mimeType: 'application/json' },
]

/** What both eras answer alike, but for the envelope. */
export const CATALOGUE: Readonly<Record<string, (params: Params, context: Context) => Params>> = {
  'tools/list': (params, { core, version, features }) =>
    page(core, 'tools', toolDefinitions(version, features.modern, features.coreTasks), params),
  'prompts/list': (params, { core, version }) => page(core, 'prompts', fitted(PROMPTS, version), params),
  'resources/list': (params, { core, version }) => page(core, 'resources', fitted(RESOURCES, version), params),
  'resources/templates/list': (params, { core, version }) => page(core, 'resourceTemplates', fitted(TEMPLATES, version), params),
  'prompts/get': getPrompt,
  'resources/read': (params, { core }) => ({ contents: [contentOf(core, params.uri)] }),
  'completion/complete': complete,
  ...SKILL_METHODS,
}

function fitted(definitions: readonly Params[], version: string): Params[] {
  return definitions.map((definition) => fitDefinition(definition, version))
}

function page(core: DemoCore, key: string, all: readonly Params[], params: Params): Params {
  const { cursor } = params
  let start = 0
  if (cursor !== undefined) {
    const [, from] = (typeof cursor === 'string' && /^next-(\d+)$/.exec(cursor)) || []
    start = Number(from)
    if (from === undefined || start >= all.length) throw new RpcError(INVALID_PARAMS, 'this cursor is not one of ours')
  }
  const end = start + core.pageSize
  const revision = core.listRevision[key === 'resourceTemplates' ? 'resources' : key]
  return {
    [key]: all.slice(start, end),
    ...(end < all.length && { nextCursor: `next-${end}` }),
    _meta: { 'com.example/revision': revision },
  }
}

function getPrompt(params: Params): Params {
  if (params.name !== 'greet') throw new RpcError(INVALID_PARAMS, `unknown prompt ${JSON.stringify(params.name)}`)
  const { name, lang = 'en' } = isObject(params.arguments) ? params.arguments : {}
  if (typeof name !== 'string') throw new RpcError(INVALID_PARAMS, 'the argument "name" is required')
  const greeting = typeof lang === 'string' && Object.hasOwn(GREETINGS, lang) ? GREETINGS[lang] : undefined
  if (greeting === undefined) throw new RpcError(INVALID_PARAMS, `the argument "lang" must be one of ${Object.keys(GREETINGS).join(', ')}`)
  return { description: 'A greeting', messages: [{ role: 'user', content: text(`${greeting}, ${name}!`) }] }
}

/** Whether there is such a resource, listed or not. */
export function hasResource(uri: unknown): uri is string {
  return typeof uri === 'string' && (RESOURCES.some((resource) => resource.uri === uri) || itemOf(uri) !== undefined)
}

function itemOf(uri: string): number | undefined {
  const [, id] = /^demo:\/\/item\/(\d{1,3})$/.exec(uri) ?? []
  return id !== undefined && Number(id) >= 1 && Number(id) <= ITEMS ? Number(id) : undefined
}

function contentOf(core: DemoCore, uri: unknown): Params {
  if (typeof uri !== 'string') throw new RpcError(INVALID_PARAMS, 'uri must be a string')
  if (uri === 'demo://text') return { uri, mimeType: 'text/plain', text: 'The quick brown fox jumps over the lazy dog.' }
  if (uri === 'demo://image') return { uri, mimeType: 'image/png', blob: PNG_BASE64 }
  if (uri === 'demo://clock') return { uri, mimeType: 'text/plain', text: core.clock }
  const file = skillFile(uri)
  if (file !== undefined) return file
  const id = itemOf(uri)
  if (id === undefined) throw new RpcError(RESOURCE_NOT_FOUND, 'there is no such resource', { uri })
  return { uri, mimeType: 'application/json', text: JSON.stringify({ id, even: id % 2 === 0 }) }
}

function complete(params: Params): Params {
  const { ref, argument, context } = params
  if (!isObject(ref) || !isObject(argument)) throw new RpcError(INVALID_PARAMS, 'ref and argument are required')
  const { name, value } = argument
  const earlier = isObject(context) && isObject(context.arguments) ? context.arguments : {}
  const options = optionsOf(ref, name, earlier.lang)
  const matches = options.filter((option) => option.toLowerCase().startsWith(String(value ?? '').toLowerCase()))
  return { completion: { values: matches.slice(0, 100), total: matches.length, hasMore: matches.length > 100 } }
}

function optionsOf(ref: Params, argument: unknown, lang: unknown): readonly string[] {
  if (ref.type === 'ref/prompt' && ref.name === 'greet') {
    if (argument === 'lang') return Object.keys(GREETINGS)
    if (argument === 'name') return (typeof lang === 'string' ? PEOPLE[lang] : undefined) ?? Object.values(PEOPLE).flat()
  }
  if (ref.type === 'ref/resource' && ref.uri === 'demo://item/{id}' && argument === 'id') {
    return Array.from({ length: ITEMS }, (_, index) => String(index + 1))
  }
  throw new RpcError(INVALID_PARAMS, 'nothing to complete there')
}
