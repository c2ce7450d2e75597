import { httpTransport } from '../../src/transport/http/http-node.ts'
import type { Transport } from '../../src/transport/transport.ts'

/** Streamable HTTP as `connect` reaches it in Node. */
export function streamableHttpTransport(url: string): Transport {
  return httpTransport({ url })
}
