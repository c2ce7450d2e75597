import { RpcError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { INVALID_PARAMS } from '../jsonrpc/error-code.ts'
import type { Params } from '../jsonrpc/message.ts'
import { ELICITATION_CREATE } from '../protocol/methods.ts'
import type { ElicitFormRequest, ElicitRequest, ElicitResult, ElicitUrlRequest } from '../protocol/types.ts'
import type { SchemaLimits } from '../schema/limits.ts'
import type { HandlerContext, RequestHandler } from '../session/inbound.ts'
import type { Logger } from '../session/logger.ts'
import { formContent } from './elicitation-content.ts'
import type { PagesAsked } from './pages-asked.ts'

/** `accept(content)`, `decline()`, `cancel()` or the wire form. Anything else counts as a cancel. */
export type ElicitAnswer = ElicitResult | undefined

export type Elicit<Request> = (request: Request, context: HandlerContext) => ElicitAnswer | Promise<ElicitAnswer>

/** A function answers both modes; an object those that it has. */
export type ElicitationHandler =
  | Elicit<ElicitRequest>
  | { readonly form?: Elicit<ElicitFormRequest> | undefined; readonly url?: Elicit<ElicitUrlRequest> | undefined }

/** The person gave this content; consented, in URL mode. Defaults of the schema fill what is missing. */
export function accept(content?: ElicitResult['content']): ElicitResult {
  return content === undefined ? { action: 'accept' } : { action: 'accept', content }
}

/** The person refused. */
export function decline(): ElicitResult {
  return { action: 'decline' }
}

/** The person did not decide. */
export function cancel(): ElicitResult {
  return { action: 'cancel' }
}

/** Answers `elicitation/create` in both eras. @see spec client/elicitation */
export function elicitationHandler(given: ElicitationHandler, logger: Logger, limits: SchemaLimits, pages: PagesAsked): RequestHandler {
  const { form, url } = typeof given === 'function' ? { form: given, url: given } : given
  const warning =
    ({ server }: HandlerContext) =>
    (problem: string): void =>
      logger.warn(`${server}: ${problem}`)
  const visit = async (ask: Elicit<ElicitUrlRequest>, request: ElicitUrlRequest, context: HandlerContext): Promise<string> => {
    // The server may tell of the end before the handler returns.
    pages.add(request.elicitationId)
    let action = 'cancel'
    try {
      action = finished(await ask(request, context), warning(context)).action
    } finally {
      if (action !== 'accept') pages.end(request.elicitationId)
    }
    return action
  }
  return {
    method: ELICITATION_CREATE,
    capability: { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } },
    late: { action: 'cancel' },
    async handle(params, context) {
      const mode = params?.mode ?? 'form'
      if (mode === 'form' && form !== undefined) {
        const request = formRequest(params)
        const result = finished(await form(request, context), warning(context))
        if (result.action !== 'accept') return result
        return { ...result, content: await formContent(result.content, request.requestedSchema, limits, warning(context)) }
      }
      if (mode === 'url' && url !== undefined) return { action: await visit(url, urlRequest(params), context) }
      throw new RpcError(INVALID_PARAMS, 'This mode of elicitation was not declared')
    },
  }
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:'])

function formRequest(params: Params | undefined): ElicitFormRequest {
  const { message, requestedSchema } = params ?? {}
  if (typeof message !== 'string' || !isObject(requestedSchema))
    throw new RpcError(INVALID_PARAMS, 'A form needs message and requestedSchema')
  return { ...params, mode: 'form', message, requestedSchema }
}

function urlRequest(params: Params | undefined): ElicitUrlRequest {
  const { message, url } = params ?? {}
  if (typeof message !== 'string' || typeof url !== 'string') throw new RpcError(INVALID_PARAMS, 'A URL elicitation needs message and url')
  // Whoever shows it must not be led to run a script or open a file.
  if (!URL.canParse(url) || !SCHEMES.has(new URL(url).protocol)) throw new RpcError(INVALID_PARAMS, 'Only http and https URLs are shown')
  return { ...params, mode: 'url', message, url }
}

/** Never an accept that the handler did not give. */
function finished(answer: ElicitAnswer, warn: (problem: string) => void): { readonly action: string; readonly content?: unknown } {
  const action: unknown = isObject(answer) ? answer.action : undefined
  if (action === 'decline' || action === 'cancel') return { action }
  if (action === 'accept' && answer !== undefined) return { action, content: answer.content }
  warn('the elicitation handler returned no action that exists, so the answer is cancel; use accept(content), decline() or cancel()')
  return { action: 'cancel' }
}
