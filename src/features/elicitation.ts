import { RpcError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { INVALID_PARAMS } from '../jsonrpc/error-code.ts'
import type { Params } from '../jsonrpc/message.ts'
import { ELICITATION_CREATE } from '../protocol/methods.ts'
import type { ElicitFormRequest, ElicitRequest, ElicitResult, ElicitUrlRequest, JSONSchema } from '../protocol/types.ts'
import type { HandlerContext, RequestHandler } from '../session/inbound.ts'
import type { Logger } from '../session/logger.ts'

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
export function elicitationHandler(given: ElicitationHandler, logger: Logger): RequestHandler {
  const { form, url } = typeof given === 'function' ? { form: given, url: given } : given
  return {
    method: ELICITATION_CREATE,
    capability: { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } },
    late: { action: 'cancel' },
    async handle(params, context) {
      const mode = params?.mode ?? 'form'
      if (mode === 'form' && form !== undefined) {
        const request = formRequest(params)
        return finished(await form(request, context), request.requestedSchema, logger)
      }
      if (mode === 'url' && url !== undefined) return finished(await url(urlRequest(params), context), undefined, logger)
      throw new RpcError(INVALID_PARAMS, 'This mode of elicitation was not declared')
    },
  }
}

function formRequest(params: Params | undefined): ElicitFormRequest {
  const { message, requestedSchema } = params ?? {}
  if (typeof message !== 'string' || !isObject(requestedSchema))
    throw new RpcError(INVALID_PARAMS, 'A form needs message and requestedSchema')
  return { ...params, mode: 'form', message, requestedSchema }
}

function urlRequest(params: Params | undefined): ElicitUrlRequest {
  const { message, url } = params ?? {}
  if (typeof message !== 'string' || typeof url !== 'string') throw new RpcError(INVALID_PARAMS, 'A URL elicitation needs message and url')
  return { ...params, mode: 'url', message, url }
}

/** Never an accept that the handler did not give. */
function finished(answer: ElicitAnswer, schema: JSONSchema | undefined, logger: Logger): Params {
  const action: unknown = isObject(answer) ? answer.action : undefined
  if (action === 'decline' || action === 'cancel') return { action }
  if (action !== 'accept' || answer === undefined) {
    logger.warn('an elicitation handler returned no action that exists; answered with cancel')
    return { action: 'cancel' }
  }
  return schema === undefined ? { action } : { action, content: { ...defaultsOf(schema), ...answer.content } }
}

/** What a form may be answered with. */
function isAnswer(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
}

function defaultsOf(schema: JSONSchema): Record<string, unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isObject(property) && isAnswer(property.default) ? [[name, property.default]] : [],
    ),
  )
}
