import type { Extended } from '../era/era.ts'
import { UnsupportedError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { APPS_EXTENSION, SKILLS_EXTENSION, TASKS_EXTENSION } from '../protocol/extension-ids.ts'
import { isMetaKey } from '../protocol/meta-grammar.ts'
import { TOOLS_CALL } from '../protocol/methods.ts'
import type { RequestOptions } from '../session/request-options.ts'
import type { Session } from '../session/session.ts'

/** An extension that the caller turns on: its id, or the id with settings and with what it adds to the protocol. @see spec extensions */
export interface Extension {
  /** `vendor-prefix/name`. */
  readonly id: string
  /** What is declared to the server. Default: what the extension's specification asks for, else `{}`. */
  readonly settings?: { readonly [key: string]: unknown } | undefined
  /** Parameters that the header `Mcp-Name` repeats over HTTP, by the method of the request. */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** Values of `resultType` that end a request as `complete` does, by its method. */
  readonly resultTypes?: Readonly<Record<string, readonly string[]>> | undefined
}

/** What is known of the official extensions; the caller's own values win. */
const OFFICIAL: Readonly<Record<string, Omit<Extension, 'id'>>> = {
  [TASKS_EXTENSION]: {
    names: { 'tasks/get': 'taskId', 'tasks/update': 'taskId', 'tasks/cancel': 'taskId' },
    resultTypes: { [TOOLS_CALL]: ['task'], 'tasks/get': ['task'] },
  },
  [SKILLS_EXTENSION]: {},
  [APPS_EXTENSION]: { settings: { mimeTypes: ['text/html;profile=mcp-app'] } },
}

/** The extensions that the caller turned on; nothing else is declared or understood. */
export class Extensions implements Extended {
  /** None at all, for all clients that turn nothing on. */
  static readonly NONE: Extensions = new Extensions()
  readonly settings: Readonly<Record<string, object>>
  readonly names: ReadonlyMap<string, string>
  readonly resultTypes: ReadonlyMap<string, ReadonlySet<string>>

  /** @throws TypeError for an id without a prefix, one that stands twice, or settings that are no object. */
  constructor(given: readonly (string | Extension)[] = []) {
    const all = given.map(checked)
    const twice = all.find(({ id }, index) => all.findIndex((other) => other.id === id) !== index)
    if (twice !== undefined) throw new TypeError(`the option extensions names ${twice.id} twice`)
    this.settings = Object.fromEntries(all.map(({ id, settings }) => [id, settings ?? {}]))
    this.names = new Map(all.flatMap(({ names }) => Object.entries(names ?? {})))
    const types = new Map<string, Set<string>>()
    for (const { resultTypes } of all) {
      for (const [method, values] of Object.entries(resultTypes ?? {}))
        types.set(method, new Set([...(types.get(method) ?? []), ...values]))
    }
    this.resultTypes = types
  }

  /** Whether the caller turned it on. */
  has(id: string): boolean {
    return Object.hasOwn(this.settings, id)
  }
}

/** The server's settings of an extension. @throws UnsupportedError, with nothing sent, that says which side lacks it. */
export async function requireExtension(
  session: Session,
  extensions: Extensions,
  id: string,
  method: string,
  options?: RequestOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const about = { server: session.name, method }
  if (!extensions.has(id)) throw new UnsupportedError(`the extension ${id} is off; connect with extensions: ['${id}']`, about)
  const link = await session.linked(method, options)
  const theirs: unknown = link.discovered.capabilities.extensions?.[id]
  if (!isObject(theirs)) throw new UnsupportedError(`the server does not declare the extension ${id}`, about)
  return theirs
}

function checked(given: string | Extension): Extension {
  const own = typeof given === 'string' ? { id: given } : given
  const id: unknown = isObject(own) ? own.id : undefined
  if (typeof id !== 'string' || !isExtensionId(id))
    throw new TypeError(`the option extensions takes ids such as "com.example/name", not ${JSON.stringify(id)}`)
  const known = Object.hasOwn(OFFICIAL, id) ? OFFICIAL[id] : undefined
  const { settings } = own
  if (settings !== undefined && !isObject(settings)) throw new TypeError(`the option extensions needs an object as the settings of ${id}`)
  return { ...known, ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)), id }
}

/** A key of `_meta` with a prefix and a name. */
function isExtensionId(id: string): boolean {
  return isMetaKey(id) && /\/./.test(id)
}
