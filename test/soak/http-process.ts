import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface HttpProcess {
  readonly urls: readonly [string, ...string[]]
  close(): Promise<void>
}

/** Starts the process of the HTTP servers. It runs as this one does: with the same loader and conditions. */
export async function httpProcess(seed: number, pauseMs: number): Promise<HttpProcess> {
  const child = fork(fileURLToPath(new URL('http-servers.ts', import.meta.url)), [String(seed), String(pauseMs)])
  const message = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`the HTTP servers ended with ${code}`)))
  })
  const urls: unknown = typeof message === 'object' && message !== null && 'urls' in message ? message.urls : undefined
  const [first, ...others] = Array.isArray(urls) ? urls.map(String) : []
  if (first === undefined) throw new Error('the HTTP servers told no address')
  return {
    urls: [first, ...others],
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await gone
    },
  }
}
