import type { Signer } from './signer.ts'

/** What a caller may set for a server behind a URL. */
export interface HttpOptions {
  /** Sent with every request; a function is asked each time. A header that the protocol owns is a `TypeError`. */
  headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>) | undefined
  /** Used instead of the runtime's own HTTP. */
  fetch?: typeof fetch | undefined
  /** Signs the exact bytes of every request. */
  signer?: Signer | undefined
}
