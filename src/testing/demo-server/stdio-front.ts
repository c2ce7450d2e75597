import { INVALID_REQUEST } from '../../jsonrpc/error-code.ts'
import { Conversation } from './conversation.ts'
import type { DemoCore } from './core.ts'
import { MAX_MESSAGE_BYTES, MAX_UNREAD_BYTES } from './limits.ts'

/** A server that talks on two streams. */
export interface StdioServing {
  /** Resolves when the input has ended or `close` was called. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Serves one client: one JSON text per line each way. */
export function serveStdio(
  core: DemoCore,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream & { writableLength?: number },
): StdioServing {
  let open = true
  let ending = false
  let settle: () => void = () => {}
  const closed = new Promise<void>((resolve) => {
    settle = resolve
  })
  const conversation = new Conversation(core, {
    send(message) {
      if (!open) return
      output.write(`${JSON.stringify(message)}\n`)
      if ((output.writableLength ?? 0) > MAX_UNREAD_BYTES) end(false)
    },
    settled() {},
  })
  let line: Buffer[] = []
  let length = 0
  const data = (chunk: Buffer | string): void => {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      keep(rest.subarray(0, at))
      rest = rest.subarray(at + 1)
      const text = Buffer.concat(line).toString('utf8').trim()
      if (length > MAX_MESSAGE_BYTES) conversation.refuse(INVALID_REQUEST, `a line may have ${MAX_MESSAGE_BYTES} bytes`)
      else if (text !== '') conversation.receive(text)
      line = []
      length = 0
    }
    keep(rest)
  }
  const keep = (part: Buffer): void => {
    length += part.length
    if (length <= MAX_MESSAGE_BYTES) line.push(part)
    else line = []
  }
  const ended = (): void => end(false)
  const end = (graceful: boolean): void => {
    if (ending) return
    ending = true
    input.off('data', data).off('end', ended).off('close', ended).off('error', ended)
    void conversation.close(graceful).then(() => {
      open = false
      input.pause()
      settle()
    })
  }
  input.on('data', data).on('end', ended).on('close', ended).on('error', ended)
  // Stays after the end: what was written last may still fail.
  output.on('error', ended)
  return {
    closed,
    async close() {
      end(true)
      await closed
    },
  }
}
