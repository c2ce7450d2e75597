import type { InputRequired } from '../era/input-request.ts'
import { HandlerError, ProtocolError } from '../errors.ts'
import type { Params } from '../jsonrpc/message.ts'
import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { Inbound } from './inbound.ts'
import { onAbort } from './on-abort.ts'
import { pause } from './pause.ts'

/** The pause before a call is repeated that the server put off without a question, doubled each round. */
const PAUSE_MS = 100
/** What may be asked for so. */
const INPUTS: ReadonlySet<string> = new Set([ELICITATION_CREATE, SAMPLING_CREATE, ROOTS_LIST])
const MAX_PAUSE_MS = 5_000

/**
 * The parameters that the next leg of a call adds: the answers to what the server asked, under its keys, and its state untouched.
 * A question that no handler declares is the server's fault; a refusal of ours abandons the call, since no answer can say it.
 * @param signals End the waiting: the caller's, and the end of the client.
 * @see spec basic/patterns/mrtr
 */
export async function answerInputs(
  asked: InputRequired,
  inbound: Inbound,
  signals: readonly (AbortSignal | undefined)[],
  round: number,
): Promise<Params> {
  const controller = new AbortController()
  const stops = signals.map((signal) => forward(signal, controller))
  try {
    const questions = Object.entries(asked.requests)
    for (const [, { method }] of questions) {
      if (!INPUTS.has(method) || !inbound.has(method))
        throw new ProtocolError(`the server asks for ${peerText(method, 100)}, which was not declared`, { outcome: 'answered' })
    }
    if (questions.length === 0) {
      await pause(Math.min(PAUSE_MS * 2 ** (round - 1), MAX_PAUSE_MS), controller.signal)
      return asked.echo
    }
    const answers = await Promise.all(
      questions.map(async ([key, { method, params }]) => [key, await answerOne(inbound, method, params, controller)] as const),
    )
    return { ...asked.echo, inputResponses: Object.fromEntries(answers) }
  } catch (error) {
    // One question that is not answered ends the others.
    controller.abort(error)
    throw error
  } finally {
    for (const stop of stops) stop()
  }
}

async function answerOne(inbound: Inbound, method: string, params: Params | undefined, controller: AbortController): Promise<Params> {
  try {
    return await inbound.answer(method, params, controller)
  } catch (cause) {
    if (controller.signal.aborted && cause === controller.signal.reason) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new HandlerError(`the call was given up, because the handler of ${method} refused or failed: ${why}`, {
      outcome: 'answered',
      cause,
    })
  }
}

function forward(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) controller.abort(signal.reason)
  return onAbort(signal, (reason) => controller.abort(reason))
}
