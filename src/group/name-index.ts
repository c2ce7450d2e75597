import type { Client } from '../client.ts'
import type { McpError, NameKind } from '../errors.ts'
import type { KeptOptions } from '../features/kept-requests.ts'
import { type Asking, ask } from './gather.ts'
import type { Member } from './member.ts'
import { qualifiedNames } from './qualified-name.ts'

/** What can be found by its name. */
export type RoutedKind = Exclude<NameKind, 'server'>

/** How tools and prompts of a group are called: as their servers call them, or `server__name`. */
export type Naming = 'as-is' | 'prefixed'

/** What one server has. The names of the group and its own differ where names are prefixed. */
interface Names {
  readonly client: Client
  /** The group's name by the server's own. */
  readonly called: ReadonlyMap<string, string>
  /** The server's own name by the group's. */
  readonly own: ReadonlyMap<string, string>
  /** Resources that have no name before they are asked for. */
  readonly templates: readonly string[]
}

/** How servers are asked for their names. */
interface Looking extends Asking {
  readonly cache?: KeptOptions['cache']
}

/** Which server has what, as far as they were asked. What a server had stays known while it is away. */
export class NameIndex {
  readonly #kind: RoutedKind
  readonly #prefixed: boolean
  readonly #byMember = new Map<Member, Names>()

  constructor(kind: RoutedKind, naming: Naming) {
    this.#kind = kind
    this.#prefixed = naming === 'prefixed' && kind !== 'resource'
  }

  /** Asks servers for their names; those that do not answer keep what was known of them, and say why. */
  async look(members: readonly Member[], { signal, timeoutMs, patient = false, cache }: Looking): Promise<ReadonlyMap<string, McpError>> {
    const options: KeptOptions = { signal, timeoutMs, cache }
    const { failures } = await ask(members, (client, member) => this.#ask(client, member, options), { signal, timeoutMs, patient })
    return failures
  }

  /** Notes what a server just listed. */
  note(member: Member, client: Client, names: readonly string[], templates: readonly string[] = []): void {
    const called = this.#prefixed ? qualifiedNames(member.name, names) : new Map(names.map((name) => [name, name]))
    const own = this.#prefixed ? new Map([...called].map(([name, full]) => [full, name])) : called
    this.#byMember.set(member, { client, called, own, templates })
  }

  forget(member: Member): void {
    this.#byMember.delete(member)
  }

  /** Whether this server's names are known, of the client that it has now. */
  knows(member: Member): boolean {
    const names = this.#byMember.get(member)
    return names !== undefined && (member.client === undefined || member.client === names.client)
  }

  /** What a server itself calls this, if it is known to have it. */
  own(member: Member, name: string): string | undefined {
    return this.#byMember.get(member)?.own.get(name)
  }

  /** What the group calls something of a server. */
  called(member: Member, own: string): string | undefined {
    return this.#byMember.get(member)?.called.get(own)
  }

  /** Every known name of these servers. */
  *names(members: readonly Member[]): Generator<string, void, void> {
    for (const member of members) yield* this.#byMember.get(member)?.own.keys() ?? []
  }

  templates(member: Member): readonly string[] {
    return this.#byMember.get(member)?.templates ?? []
  }

  async #ask(client: Client, member: Member, options: KeptOptions): Promise<void> {
    if (this.#kind === 'tool') this.note(member, client, namesOf(await client.listTools(options)))
    else if (this.#kind === 'prompt') this.note(member, client, namesOf(await client.listPrompts(options)))
    else {
      const [resources, templates] = await Promise.all([client.listResources(options), client.listResourceTemplates(options)])
      const uris = resources.map(({ uri }) => uri)
      const patterns = templates.map(({ uriTemplate }) => uriTemplate)
      this.note(member, client, uris, patterns)
    }
  }
}

function namesOf(items: readonly { readonly name: string }[]): string[] {
  return items.map(({ name }) => name)
}
