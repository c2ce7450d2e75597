import { isObject } from '../../jsonrpc/codec.ts'
import type { JSONRPCNotification } from '../../jsonrpc/message.ts'
import type { ServerCapabilities } from '../../protocol/types.ts'

/**
 * Changes to hear of, as `subscriptions/listen` writes them: `true` for a list, names for single things. Extensions have fields of their own.
 * @see spec basic/patterns/subscriptions
 */
export interface Filter {
  readonly toolsListChanged?: true | undefined
  readonly promptsListChanged?: true | undefined
  readonly resourcesListChanged?: true | undefined
  /** URIs. */
  readonly resourceSubscriptions?: readonly string[] | undefined
  readonly [field: string]: true | readonly string[] | undefined
}

/** One part of a filter: a field, and what it names where it names something. */
export type Interest = string

/** Between a field and a name in it; field names hold no line end. */
const SEPARATOR = '\n'
const SUBSCRIPTIONS = 'resourceSubscriptions'

export function interestsOf(filter: Filter): Interest[] {
  return Object.entries(filter).flatMap(([field, value]) => {
    if (value === undefined) return []
    return value === true ? [field] : value.map((name) => `${field}${SEPARATOR}${name}`)
  })
}

export function filterOf(interests: Iterable<Interest>): Filter {
  const names: Record<string, string[]> = {}
  const filter: Record<string, true | readonly string[]> = names
  for (const interest of interests) {
    const at = interest.indexOf(SEPARATOR)
    if (at < 0) {
      filter[interest] = true
      continue
    }
    const field = interest.slice(0, at)
    names[field] ??= []
    names[field].push(interest.slice(at + SEPARATOR.length))
  }
  return filter
}

/** The URI of a resource that an interest is about. */
export function subscribedUri(interest: Interest): string | undefined {
  const start = SUBSCRIPTIONS + SEPARATOR
  return interest.startsWith(start) ? interest.slice(start.length) : undefined
}

/** The notification of a change; an extension knows its own. */
export function notificationOf(interest: Interest): JSONRPCNotification | undefined {
  const uri = subscribedUri(interest)
  if (uri !== undefined) return { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }
  const [, list] = /^(tools|prompts|resources)ListChanged$/.exec(interest) ?? []
  return list === undefined ? undefined : { jsonrpc: '2.0', method: `notifications/${list}/list_changed` }
}

/** What a server says that it tells of; what is malformed is none. */
export function acknowledgedInterests(value: unknown): ReadonlySet<Interest> {
  if (!isObject(value)) return new Set()
  const entries = Object.entries(value).map(([field, given]): [string, true | readonly string[] | undefined] => {
    if (given === true) return [field, true]
    return [field, Array.isArray(given) ? given.filter((name) => typeof name === 'string') : undefined]
  })
  return new Set(interestsOf(Object.fromEntries(entries)))
}

/** Whether the server declares that it tells of this. What an extension asks for is for the extension to know. */
export function isOffered(interest: Interest, { tools, prompts, resources }: ServerCapabilities): boolean {
  if (interest === 'toolsListChanged') return tools?.listChanged === true
  if (interest === 'promptsListChanged') return prompts?.listChanged === true
  if (interest === 'resourcesListChanged') return resources?.listChanged === true
  return subscribedUri(interest) === undefined || resources?.subscribe === true
}
