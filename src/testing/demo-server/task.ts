import type { RpcError } from '../../errors.ts'
import type { Params } from '../../jsonrpc/message.ts'
import type { Question } from './call.ts'

/** What the era-specific shapes of a task are made from. */
export interface Task {
  readonly id: string
  /** The conversation that began it. */
  readonly owner: object
  readonly createdAt: string
  readonly ttlMs: number
  readonly abort: AbortController
  /** Settles when the status is terminal; never rejects. */
  readonly ended: Promise<void>
  readonly questions: Map<string, { readonly question: Question; answer(answer: Params): void; refuse(error: unknown): void }>
  lastUpdatedAt: string
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  outcome: { readonly result: Params } | { readonly error: RpcError } | undefined
}
