import type { InputRequired } from '../era/era.ts'
import { ProtocolError, RpcError } from '../errors.ts'
import type { Params } from '../jsonrpc/message.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Inbound } from './inbound.ts'

/** The pause before a call is repeated that the server put off without a question, doubled each round. */
const PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000

/**
 * The parameters that the next leg of a call adds: the answers to what the server asked, under its keys, and its state untouched.
 * A question that no handler declares is the server's fault; a refusal of ours abandons the call, since no answer can say it.
 * @see spec basic/patterns/mrtr
 */
export async function answerInputs(
  asked: InputRequired,
  inbound: Inbound,
  signal: AbortSignal | undefined,
  round: number,
): Promise<Params> {
  const questions = Object.entries(asked.requests)
  if (questions.length === 0) {
    await pause(Math.min(PAUSE_MS * 2 ** (round - 1), MAX_PAUSE_MS), signal)
    return asked.echo
  }
  for (const [, { method }] of questions) {
    if (!inbound.has(method))
      throw new ProtocolError(`the server asks for ${peerText(method, 100)}, which was not declared`, { outcome: 'not-run' })
  }
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const answers = await Promise.all(
      questions.map(async ([key, { method, params }]) => [key, await inbound.answer(method, params, controller)]),
    )
    return { ...asked.echo, inputResponses: Object.fromEntries(answers) }
  } catch (error) {
    controller.abort(error)
    signal?.throwIfAborted()
    if (error instanceof RpcError) error.outcome ??= 'answered'
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
