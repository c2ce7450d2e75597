import { RpcError } from '../../errors.ts'
import { INVALID_PARAMS } from '../../jsonrpc/error-code.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { Changes, type DemoList } from './changes.ts'
import { ICONS } from './content.ts'
import { MAX_ROUNDS } from './limits.ts'
import { LEGACY_VERSIONS, MODERN_VERSIONS } from './revision.ts'
import { TaskStore } from './tasks.ts'

export const SERVER_INFO: Params = {
  name: 'demo',
  version: '1.0.0',
  title: 'Demo server',
  websiteUrl: 'https://example.com/demo',
  icons: ICONS,
}
export const INSTRUCTIONS = 'A demo server with one of everything. Nothing that it does has an effect outside of it.'

/** How one demo server is set up. */
export interface CoreOptions {
  /** The protocol eras that it speaks. Default `both`. */
  readonly era?: 'both' | 'legacy' | 'modern' | undefined
  /** The protocol revisions that it speaks, a part of those of `era`. Default all of them. */
  readonly versions?: readonly string[] | undefined
  /** Items on one page of a list. Default 1,000, so that each list is one page. */
  readonly pageSize?: number | undefined
  /** `ttlMs` of cacheable results in the modern era; of the clock it is always 0. Default 60,000. */
  readonly ttlMs?: number | undefined
}

/** What all conversations of one demo server share. Knows no era and no transport. */
export class DemoCore {
  readonly modern: readonly string[]
  readonly legacy: readonly string[]
  readonly pageSize: number
  readonly ttlMs: number
  readonly changes: Changes = new Changes()
  readonly tasks: TaskStore = new TaskStore(this.changes)
  /** How often the change of each list was told. */
  readonly listRevision: Record<string, number> = { tools: 0, prompts: 0, resources: 0 }
  clock = 'tick 0'
  #ticks = 0
  readonly #rounds = new Map<string, { readonly request: string; readonly answers: Params }>()

  constructor({ era = 'both', versions, pageSize = 1_000, ttlMs = 60_000 }: CoreOptions) {
    if (era !== 'both' && era !== 'legacy' && era !== 'modern')
      throw new TypeError(`era must be both, legacy or modern, not ${String(era)}`)
    if (!(Number.isSafeInteger(pageSize) && pageSize > 0)) throw new TypeError('pageSize must be a positive integer')
    if (!(Number.isSafeInteger(ttlMs) && ttlMs >= 0)) throw new TypeError('ttlMs must be an integer of at least 0')
    const possible = [...(era === 'legacy' ? [] : MODERN_VERSIONS), ...(era === 'modern' ? [] : LEGACY_VERSIONS)]
    const unknown = versions?.find((version) => !possible.includes(version))
    if (unknown !== undefined || versions?.length === 0) throw new TypeError(`versions must be some of ${possible.join(', ')}`)
    const spoken = (version: string): boolean => possible.includes(version) && (versions?.includes(version) ?? true)
    this.modern = MODERN_VERSIONS.filter(spoken)
    this.legacy = LEGACY_VERSIONS.filter(spoken)
    this.pageSize = pageSize
    this.ttlMs = ttlMs
  }

  tick(text?: string): string {
    this.clock = text ?? `tick ${++this.#ticks}`
    this.changes.tell({ uri: 'demo://clock' })
    return this.clock
  }

  announce(list: DemoList): void {
    this.listRevision[list] = (this.listRevision[list] ?? 0) + 1
    this.changes.tell({ list })
  }

  /** Remembers the answers so far to the questions of `request`; the client brings the returned state back. */
  keepRound(request: string, answers: Params): string {
    const state = crypto.randomUUID()
    this.#rounds.set(state, { request, answers })
    for (const oldest of this.#rounds.keys()) {
      if (this.#rounds.size <= MAX_ROUNDS) break
      this.#rounds.delete(oldest)
    }
    return state
  }

  answersOf(state: unknown, request: string): Params {
    const round = typeof state === 'string' ? this.#rounds.get(state) : undefined
    if (round === undefined || round.request !== request) throw new RpcError(INVALID_PARAMS, 'requestState does not belong to this request')
    return round.answers
  }

  close(): void {
    this.tasks.close()
    this.#rounds.clear()
  }
}
