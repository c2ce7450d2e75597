/** A request as it is sent. */
export interface SignableRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  /** Complete, query included. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact body; UTF-8 of this text goes out. */
  readonly body: string | undefined
}

/** A request that the server refused with 401. */
export interface RefusedRequest extends SignableRequest {
  readonly status: number
  /** Its `WWW-Authenticate`. */
  readonly challenge: string | undefined
  /** Any other header of the reply, by lower-case name. */
  header(name: string): string | undefined
}

/** Puts credentials on every POST, GET and DELETE. Asks no person: a login that needs one is the business of the layers above. */
export interface Signer {
  /** The headers to add, which replace those of the same name. An `McpError` that it throws rejects the request as it is. */
  sign(request: SignableRequest): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** Whether something was mended (a token refreshed, a nonce learnt), so that sending the request once more is worth while. */
  refused(request: RefusedRequest): boolean | Promise<boolean>
}
