import { Client } from '../client.ts'
import { AmbiguousNameError, type McpError, NotFoundError } from '../errors.ts'
import { closest } from '../protocol/closest.ts'
import type { RequestOptions } from '../session/request-options.ts'
import { noneOf } from './gather.ts'
import type { Member } from './member.ts'
import { NameIndex, type Naming, type RoutedKind } from './name-index.ts'
import { looksQualified, mayBelongTo, qualifiedName } from './qualified-name.ts'
import { mayMatch } from './template-match.ts'

/** Names a server of a group: its name, its place counted from 0, or its client. */
export type ServerRef = string | number | Client

/** Options of a group's methods: those of the client's, and the server. */
export type WithServer<Options> = Options & {
  /** The server that is meant. Default: the only one that has the name. */
  server?: ServerRef | undefined
}

/** Where something is, and what it is called there. */
export interface Route {
  readonly member: Member
  readonly name: string
}

/** Finds the server that has something. */
export class Router {
  readonly #members: ReadonlyMap<string, Member>
  readonly #naming: Naming
  readonly #indexes: Readonly<Record<RoutedKind, NameIndex>>

  constructor(members: ReadonlyMap<string, Member>, naming: Naming) {
    this.#members = members
    this.#naming = naming
    this.#indexes = {
      tool: new NameIndex('tool', naming),
      prompt: new NameIndex('prompt', naming),
      resource: new NameIndex('resource', naming),
    }
  }

  index(kind: RoutedKind): NameIndex {
    return this.#indexes[kind]
  }

  /** What the group calls something of a server, listed or not. */
  called(kind: RoutedKind, member: Member, own: string): string {
    const known = this.#indexes[kind].called(member, own)
    return known ?? (this.#prefixes(kind) ? qualifiedName(member.name, own) : own)
  }

  /** The servers that take part in what is asked of all. */
  get active(): readonly Member[] {
    return [...this.#members.values()].filter(({ disabled, state }) => !disabled && state !== 'closed')
  }

  /** The server that is named, or all that take part. */
  chosen(server: ServerRef | undefined): readonly Member[] {
    return server === undefined ? this.active : [this.select(server)]
  }

  /** @throws NotFoundError for a name or a place that no server has, TypeError for what is neither. */
  select(server: ServerRef): Member {
    if (typeof server === 'string') {
      const exact = this.#members.get(server)
      if (exact !== undefined) return exact
      const alike = [...this.#members.values()].filter(({ name }) => name.toLowerCase() === server.toLowerCase())
      const [only] = alike
      if (only !== undefined && alike.length === 1) return only
      throw new NotFoundError('server', server, closest(server, this.#members.keys()))
    }
    const all = [...this.#members.values()]
    if (typeof server === 'number') {
      const at = all[server]
      if (at === undefined) throw new NotFoundError('server', String(server), [...this.#members.keys()])
      return at
    }
    if (!(server instanceof Client)) throw new TypeError('server must be the name, the place or the client of a server of this group')
    const own = all.find(({ status }) => status.client === server)
    if (own === undefined) throw new TypeError(`the client of ${server.name} does not belong to this group`)
    return own
  }

  /** The server for what cannot be looked up. @throws AmbiguousNameError when there are several and none is named. */
  sole(server: ServerRef | undefined, what: string): Member {
    if (server !== undefined) return this.select(server)
    const { active } = this
    const [only] = active
    if (only === undefined) throw new NotFoundError('server', what, [...this.#members.keys()])
    if (active.length > 1)
      throw new AmbiguousNameError(
        'server',
        what,
        active.map(({ name }) => name),
      )
    return only
  }

  /** @throws AmbiguousNameError when several servers have it and none is named, NotFoundError when none has it. */
  async route(kind: RoutedKind, name: string, options: WithServer<RequestOptions> = {}): Promise<Route> {
    const { server, signal, timeoutMs } = options
    const asking = { signal, timeoutMs }
    const index = this.#indexes[kind]
    const prefixed = this.#prefixes(kind)
    if (server !== undefined) {
      const member = this.select(server)
      if (prefixed && !index.knows(member) && mayBelongTo(member.name, name)) await index.look([member], { ...asking, patient: true })
      return { member, name: index.own(member, name) ?? name }
    }
    const active = this.active
    const [only] = active
    if (only !== undefined && active.length === 1 && !prefixed) return { member: only, name }
    // A qualified name says whom to ask; what it stands for is in the index.
    const asked = prefixed && looksQualified(name) ? active.filter((member) => mayBelongTo(member.name, name)) : active
    const unknown = asked.filter((member) => !index.knows(member))
    let failures = await index.look(unknown, asking)
    let found = this.#found(kind, asked, name)
    if (found.length === 0 && unknown.length < asked.length) {
      failures = await index.look(asked, { ...asking, cache: 'refresh' })
      found = this.#found(kind, asked, name)
    }
    const [route] = found
    if (route === undefined) throw this.#missing(kind, name, active, failures)
    if (found.length > 1) throw this.#ambiguous(kind, name, found)
    return route
  }

  /** The address of a resource is its own. */
  #prefixes(kind: RoutedKind): boolean {
    return this.#naming === 'prefixed' && kind !== 'resource'
  }

  #found(kind: RoutedKind, members: readonly Member[], name: string): Route[] {
    const index = this.#indexes[kind]
    const prefixed = this.#prefixes(kind)
    const listed = members.flatMap((member): Route[] => {
      // Prefixed, a bare name counts where it cannot be mistaken for a qualified one of a server that is away.
      const own =
        index.own(member, name) ?? (prefixed && !looksQualified(name) && index.called(member, name) !== undefined ? name : undefined)
      return own === undefined ? [] : [{ member, name: own }]
    })
    if (listed.length > 0 || kind !== 'resource') return listed
    const having = (fits: (template: string) => boolean): Route[] =>
      members.filter((member) => index.templates(member).some(fits)).map((member) => ({ member, name }))
    const exact = having((template) => template === name)
    return exact.length > 0 ? exact : having((template) => mayMatch(template, name))
  }

  #ambiguous(kind: RoutedKind, name: string, found: readonly Route[]): AmbiguousNameError {
    const index = this.#indexes[kind]
    const candidates = found.map(({ member, name: own }) => {
      const called = index.called(member, own) ?? own
      return called === own ? member.name : called
    })
    return new AmbiguousNameError(kind, name, candidates)
  }

  #missing(kind: RoutedKind, name: string, active: readonly Member[], failures: ReadonlyMap<string, McpError>): McpError {
    if (failures.size > 0 && failures.size === active.length) return noneOf(failures)
    const unasked = [...failures.keys()]
    const cause = unasked.length === 0 ? undefined : new AggregateError([...failures.values()], 'servers that could not be asked')
    return new NotFoundError(kind, name, closest(name, new Set(this.#indexes[kind].names(active))), { unasked, cause })
  }
}
