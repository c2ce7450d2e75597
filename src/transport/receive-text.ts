import { peerText } from '../protocol/peer-text.ts'
import type { PipeEnd } from './pipe-connection.ts'
import type { OpenOptions } from './transport.ts'

/** Takes one message as text. What is no JSON is skipped and reported: one stray line must not cost the connection. */
export function receiveText(text: string, pipe: Pick<PipeEnd, 'receive'>, { limits, report }: OpenOptions): void {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    if (text.trim() !== '') report?.(`skipped a line that is no JSON: ${peerText(text.trim(), limits.maxPeerTextChars)}`)
    return
  }
  pipe.receive(value)
}
