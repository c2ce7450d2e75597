import type { InputRequest } from '../../era/input-request.ts'
import { ConnectionError, HttpError, ProtocolError, TimeoutError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/codec.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { answerInputs } from '../../session/input-required.ts'
import type { Session } from '../../session/session.ts'

/** Questions that one task may ask in its life. */
export const MAX_TASK_QUESTIONS = 1_000

/**
 * Answers what a task asks, by the handlers of direct questions. A question may show again after it was answered; it is asked once. Answers
 * that may not have arrived are sent again only when the server asks for them once more.
 * @see spec Tasks extension, task update requests
 */
export class TaskQuestions {
  readonly #session: Session
  readonly #taskId: string
  /** What became of each question: a handler works on it, the server has its answer, or may lack it. */
  readonly #known = new Map<string, 'asked' | 'answered' | { readonly unsure: unknown }>()
  /** Why the server did not take an answer. */
  #refusal: unknown

  constructor(session: Session, taskId: string) {
    this.#session = session
    this.#taskId = taskId
  }

  /** Takes the questions that are open now, and resolves when those that are new have been answered. Rejects when one cannot be. */
  async take(requests: Readonly<Record<string, InputRequest>>, signal: AbortSignal): Promise<void> {
    const open = Object.entries(requests)
    const unsure = open.flatMap(([key]) => {
      const known = this.#known.get(key)
      return typeof known === 'object' ? [[key, known.unsure] as const] : []
    })
    if (unsure.length > 0 && this.#refusal !== undefined) throw this.#refusal
    const fresh = open.filter(([key]) => !this.#known.has(key))
    await Promise.all([this.#send(Object.fromEntries(unsure)), this.#answer(fresh, signal)])
  }

  async #answer(fresh: readonly (readonly [string, InputRequest])[], signal: AbortSignal): Promise<void> {
    if (fresh.length === 0) return
    const { inbound, closing, name } = this.#session
    if (this.#known.size + fresh.length > MAX_TASK_QUESTIONS)
      throw new ProtocolError(`a task asks more than ${MAX_TASK_QUESTIONS} questions`, { server: name, outcome: 'answered' })
    for (const [key] of fresh) this.#known.set(key, 'asked')
    let answers: Params
    try {
      answers = await answerInputs({ requests: Object.fromEntries(fresh), echo: {} }, inbound, [signal, closing], 1)
    } catch (error) {
      // Who waits next is asked anew.
      for (const [key] of fresh) this.#known.delete(key)
      throw error
    }
    if (isObject(answers.inputResponses)) await this.#send(answers.inputResponses)
  }

  async #send(answers: Params): Promise<void> {
    const all = Object.entries(answers)
    if (all.length === 0) return
    for (const [key] of all) this.#known.set(key, 'answered')
    try {
      await this.#session.request('tasks/update', { taskId: this.#taskId, inputResponses: answers })
    } catch (error) {
      // The next state says whether they arrived.
      for (const [key, answer] of all) this.#known.set(key, { unsure: answer })
      if (!isPassing(error)) this.#refusal = error
    }
  }
}

/** The way to the server failed; it may be there again a little later. */
export function isPassing(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || (error instanceof HttpError && error.retryable)
}
