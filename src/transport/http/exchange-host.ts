import type { RequestId } from '../../jsonrpc/message.ts'
import type { Limits } from '../../limits.ts'
import type { Answer } from '../transport.ts'
import type { CallSlots } from './call-slots.ts'
import type { Drains } from './drains.ts'
import type { HeaderBlock } from './header-block.ts'
import type { HttpHead } from './http-port.ts'
import type { RequestSender } from './request-sender.ts'

/** What a connection knows of a request that waits for its answer. */
export interface PendingExchange {
  readonly id: RequestId
  /** Whether the request may have left this process. */
  readonly begun: boolean
  /** The answer, from whichever stream it came. */
  answer(message: Answer): void
  /** An answer to another id came on this reply, for the error if none to this one follows. */
  noteForeign(id: string): void
  /** Stops waiting; the request or its reply stream is cut. */
  abandon(reason: unknown): void
}

/** What exchanges use of their connection. */
export interface ExchangeHost {
  readonly limits: Limits
  /** The URL without its query and credentials. */
  readonly shown: string
  readonly sender: RequestSender
  readonly slots: CallSlots
  readonly drains: Drains
  readonly postHeaders: HeaderBlock
  /** Of a POST whose reply may be long. */
  readonly bulkyHeaders: HeaderBlock
  readonly getHeaders: HeaderBlock
  readonly hasSession: boolean
  readonly stateful: boolean
  /** The head of a reply to a POST has come. */
  replied(head: HttpHead): void
  /** One parsed message, or a batch, of an exchange's own reply. */
  receive(value: unknown, own: PendingExchange): void
  report(problem: string): void
  sessionLost(status: number): void
  settled(exchange: PendingExchange): void
}
