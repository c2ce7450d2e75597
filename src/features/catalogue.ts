import { ProtocolError } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { PROMPTS_GET, PROMPTS_LIST, RESOURCE_TEMPLATES_LIST, RESOURCES_LIST, RESOURCES_READ } from '../protocol/methods.ts'
import type { GetPromptResult, Prompt, Resource, ResourceContents, ResourceTemplate, ServerCapabilities } from '../protocol/types.ts'
import type { Logger } from '../session/logger.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { Session } from '../session/session.ts'
import { hoistedMeta } from './argument-meta.ts'
import type { KeptOptions, KeptRequests } from './kept-requests.ts'
import { hasStrings, type ListKind, type Page, type PagesOptions, pages, whole } from './pagination.ts'
import { type ResourceAddress, resourceUri } from './resource-address.ts'

/** The lists besides tools. */
export interface CatalogueItems {
  prompts: Prompt
  resources: Resource
  resourceTemplates: ResourceTemplate
}

export interface CatalogueSettings {
  readonly limits: Limits
  readonly logger: Logger
}

const KINDS: {
  readonly [Name in keyof CatalogueItems]: ListKind<CatalogueItems[Name]> & { readonly capability: keyof ServerCapabilities }
} = {
  prompts: { method: PROMPTS_LIST, key: 'prompts', capability: 'prompts', accepts: hasStrings('name') },
  resources: { method: RESOURCES_LIST, key: 'resources', capability: 'resources', accepts: hasStrings('uri') },
  resourceTemplates: {
    method: RESOURCE_TEMPLATES_LIST,
    key: 'resourceTemplates',
    capability: 'resources',
    accepts: hasStrings('uriTemplate'),
  },
}

/** The pages of a list. A server without the capability has none, and is not asked. */
export async function* cataloguePages<Name extends keyof CatalogueItems>(
  requests: KeptRequests,
  name: Name,
  settings: CatalogueSettings,
  options?: PagesOptions,
): AsyncGenerator<Page<CatalogueItems[Name]>, void, void> {
  const kind = KINDS[name]
  const { session } = requests
  const { discovered } = await session.linked(kind.method, options)
  if (discovered.capabilities[kind.capability] === undefined) return
  yield* pages(requests, kind, settings.limits, (problem) => settings.logger.warn(`${session.name}: ${problem}`), options)
}

/** Every item of a list. */
export function catalogue<Name extends keyof CatalogueItems>(
  requests: KeptRequests,
  name: Name,
  settings: CatalogueSettings,
  options?: KeptOptions,
): Promise<CatalogueItems[Name][]> {
  return whole(requests, KINDS[name].method, (each) => cataloguePages(requests, name, settings, each), options)
}

/** A `TypeError` for an argument that is no string: a prompt takes no others. @see spec server/prompts */
export async function getPrompt(
  session: Session,
  name: string,
  given: Readonly<Record<string, unknown>> | undefined,
  options: RequestOptions = {},
): Promise<GetPromptResult> {
  const hoisted = given === undefined ? undefined : hoistedMeta(given, options)
  const args = hoisted?.args ?? given
  const wrong = Object.entries(args ?? {}).find(([, value]) => value !== undefined && typeof value !== 'string')
  if (wrong !== undefined) throw new TypeError(`getPrompt: the argument "${wrong[0]}" must be a string`)
  const result = await session.request(PROMPTS_GET, args === undefined ? { name } : { name, arguments: args }, hoisted?.options ?? options)
  if (!Array.isArray(result.messages)) throw incomplete(session, PROMPTS_GET, 'messages')
  return { ...result, messages: result.messages }
}

/** @see spec server/resources */
export async function readResource(requests: KeptRequests, address: ResourceAddress, options?: KeptOptions): Promise<ResourceContents[]> {
  const { contents } = await requests.ask(RESOURCES_READ, { uri: await resourceUri(address) }, options)
  if (!Array.isArray(contents)) throw incomplete(requests.session, RESOURCES_READ, 'contents')
  return contents
}

function incomplete(session: Session, method: string, key: string): ProtocolError {
  return new ProtocolError(`the result of ${method} has no ${key}`, { outcome: 'answered', method, server: session.name })
}
