import type { ServerResponse } from 'node:http'
import type { JSONRPCMessage } from '../../jsonrpc/message.ts'
import type { EventStream } from './event-stream.ts'
import type { Channel } from './running-requests.ts'

/** How requests are answered: one JSON body, a stream of events, or a stream only when something comes before the answer. */
export type Replies = 'json' | 'sse' | 'auto'

interface PostReplyOptions {
  readonly response: ServerResponse
  readonly replies: Replies
  /** How many requests the POST carried, at least one. */
  readonly requests: number
  /** Asked for when the reply begins. */
  headers(): Readonly<Record<string, string>>
  /** Makes the stream and attaches the response to it. */
  stream(): EventStream
  /** Takes what a JSON body cannot carry. */
  readonly aside?: Channel | undefined
}

/** The reply of one POST: decided to be JSON or a stream as late as possible. */
export class PostReply implements Channel {
  readonly #options: PostReplyOptions
  #unsettled: number
  #stream: EventStream | undefined
  #over = false

  constructor(options: PostReplyOptions) {
    this.#options = options
    this.#unsettled = options.requests
  }

  open(): EventStream {
    this.#stream ??= this.#options.stream()
    return this.#stream
  }

  send(message: JSONRPCMessage, status?: number): void {
    if (this.#over) return
    const { response, replies, requests, aside, headers } = this.#options
    if ('method' in message) {
      if (replies === 'json') aside?.send(message)
      else this.open().send(message)
    } else if (this.#stream !== undefined || requests > 1 || (replies === 'sse' && status === undefined)) {
      this.open().send(message)
    } else {
      this.#over = true
      sendJson(response, status ?? 200, message, headers())
    }
  }

  settled(): void {
    this.#unsettled -= 1
    if (this.#unsettled === 0 && !this.#over) this.open().end()
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: JSONRPCMessage,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
