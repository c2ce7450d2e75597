import type { LoadOptions } from './config/load-servers.ts'
import { type ConnectOptions, checkDefaults } from './connect-options.ts'
import type { Naming } from './group/name-index.ts'
import type { Ready } from './group/startup.ts'
import type { Approve } from './policy/approval.ts'
import { allowed, type Rules } from './policy/rules.ts'
import type { Store } from './store/store.ts'

/** What a server of a group may have besides every option of `connect`, given in code. */
export interface MemberOptions {
  /** Names or conditions of what may be used of this server, besides those of the group. */
  allow?: Rules | undefined
  /** Names or conditions of what may not. */
  deny?: Rules | undefined
}

/** Everything that `connectGroup` takes. Every option of `connect` is a default for the servers that it applies to; a server's own wins. */
export interface GroupOptions extends Omit<ConnectOptions, 'name'>, Pick<LoadOptions, 'variables' | 'input' | 'trust'> {
  /** What tools and prompts are called: as their servers call them, or `server__name`, fit for every vendor of models. Default `'as-is'`. */
  naming?: Naming | undefined
  /** When `connectGroup` resolves: all servers are settled, the first can be used, or after so many ms. Others are waited for no more. Default `'all'`. */
  ready?: Ready | undefined
  /** How many servers start at once. One that takes longer than 5 s gives its place to the next. Default 8. */
  concurrency?: number | undefined
  /** Only these tools, prompts and resources: patterns with `*`, `?`, `{a,b}` and conditions. A list is about tools. Default: all. */
  allow?: Rules | undefined
  /** Not these, whatever `allow` says. Default: none. */
  deny?: Rules | undefined
  /** Sees every tool call before it goes out; anything but `true` refuses it. Default: none. */
  approve?: Approve | undefined
  /** A tool whose definition is not what it was when it was first seen: `'warn'` of it, or `'block'` it until it is accepted. Default `'off'`. */
  pins?: 'off' | 'warn' | 'block' | undefined
  /** Where definitions are remembered. Default: in this group. */
  catalogue?: Store | undefined
}

type Check = (value: unknown) => string | undefined

const OWN: Readonly<Record<Exclude<keyof GroupOptions, keyof ConnectOptions>, Check>> = {
  naming: (value) => (value === 'as-is' || value === 'prefixed' ? undefined : "must be 'as-is' or 'prefixed'"),
  ready: (value) =>
    value === 'all' || value === 'first' || (typeof value === 'number' && value >= 0)
      ? undefined
      : "must be 'all', 'first' or a number of ms",
  concurrency: (value) => (Number.isSafeInteger(value) && Number(value) > 0 ? undefined : 'must be a whole number, 1 or more'),
  allow: () => undefined,
  deny: () => undefined,
  approve: (value) => (typeof value === 'function' ? undefined : 'must be a function'),
  pins: (value) => (value === 'off' || value === 'warn' || value === 'block' ? undefined : "must be 'off', 'warn' or 'block'"),
  catalogue: (value) =>
    typeof value === 'object' && value !== null && 'get' in value && 'set' in value ? undefined : 'must be a store, with get and set',
  variables: (value) => (typeof value === 'object' && value !== null ? undefined : 'must be an object'),
  input: (value) => (typeof value === 'function' ? undefined : 'must be a function'),
  trust: (value) => (typeof value === 'boolean' ? undefined : 'must be a boolean'),
}

/** An unknown option, or one with a wrong value, is a `TypeError` that names it. */
export function checkGroupOptions(options: GroupOptions): void {
  const defaults: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    if (!Object.hasOwn(OWN, name)) defaults[name] = value
    else {
      const problem = OWN[name as keyof typeof OWN](value)
      if (problem !== undefined) throw new TypeError(`the option ${name} ${problem}`)
    }
  }
  if ('name' in defaults) throw new TypeError('there is no option name for a group: its servers have their own')
  allowed(options)
  checkDefaults(defaults)
}
