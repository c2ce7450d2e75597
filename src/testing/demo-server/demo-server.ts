import type { InProcessServer } from '../../transport/memory.ts'
import type { DemoList } from './changes.ts'
import { Conversation } from './conversation.ts'
import { type CoreOptions, DemoCore } from './core.ts'
import { type HttpOptions, type HttpServing, serveHttp } from './http-front.ts'
import { type StdioServing, serveStdio } from './stdio-front.ts'

/** How a demo server is set up. */
export interface DemoServerOptions extends CoreOptions {
  /** Changes `demo://clock` by itself at this interval, in milliseconds. Default: only `tick` changes it. */
  readonly clockIntervalMs?: number | undefined
}

/** A server with one of everything that the protocol has, for tests and for trying things out. */
export interface DemoServer extends InProcessServer {
  readonly name: 'demo'
  /** Changes the resource `demo://clock`, tells who watches it, and returns its new text. Default text: `tick 1`, `tick 2`, … */
  tick(text?: string): string
  /** Tells every client that a list has changed. The lists stay as they are, but for `_meta["com.example/revision"]` of the answers. */
  announce(list: DemoList): void
  /** Serves one client on two streams. Default: this process's stdin and stdout. */
  serveStdio(input?: NodeJS.ReadableStream, output?: NodeJS.WritableStream): StdioServing
  /** Serves any number of clients over Streamable HTTP. Resolves when it listens. */
  serveHttp(options?: HttpOptions): Promise<HttpServing>
  /** Ends every conversation on every front. The server cannot be used again. */
  close(): Promise<void>
}

/** Makes a demo server. It does nothing until something connects to it. */
export function demoServer(options: DemoServerOptions = {}): DemoServer {
  const { clockIntervalMs, ...rest } = options
  if (clockIntervalMs !== undefined && !(clockIntervalMs > 0)) throw new TypeError('clockIntervalMs must be a positive number')
  const core = new DemoCore(rest)
  const open = new Set<() => Promise<void>>()
  const clock = clockIntervalMs === undefined ? undefined : setInterval(() => core.tick(), clockIntervalMs)
  if (typeof clock === 'object') clock.unref()
  return {
    name: 'demo',
    tick: (text) => core.tick(text),
    announce: (list) => core.announce(list),
    connect(send, end) {
      const conversation = new Conversation(core, { send: (message) => send(JSON.stringify(message)), settled() {} })
      const finish = async (): Promise<void> => {
        open.delete(finish)
        await conversation.close(true)
        end()
      }
      open.add(finish)
      return {
        receive: (line) => conversation.receive(line),
        close() {
          open.delete(finish)
          void conversation.close(false)
        },
      }
    },
    serveStdio(input = process.stdin, output = process.stdout) {
      const serving = serveStdio(core, input, output)
      const close = (): Promise<void> => serving.close()
      open.add(close)
      void serving.closed.then(() => open.delete(close))
      return serving
    },
    async serveHttp(options) {
      const serving = await serveHttp(core, options)
      const close = (): Promise<void> => {
        open.delete(close)
        return serving.close()
      }
      open.add(close)
      return { ...serving, close }
    },
    async close() {
      clearInterval(clock)
      core.tasks.close()
      await Promise.all([...open].map((close) => close()))
      core.close()
    },
  }
}
