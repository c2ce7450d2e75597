import { demoServer } from 'mcp-switchboard/testing'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import type { Flags } from '../options.ts'
import { print } from '../output.ts'
import { UsageError } from '../usage-error.ts'

/** `switchboard serve-demo`: the demo server as a process of its own. */
export async function serveDemo(words: readonly string[], flags: Flags, { signal, commandLine }: Context): Promise<number> {
  const [surplus] = [...words, ...commandLine]
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one word too many`)
  if (flags.port !== undefined && flags.http !== true) throw new UsageError('--port is for --http')
  const server = demoServer(speaking(flags.era ?? 'both'))
  const interrupted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    if (flags.http === true) {
      const { url } = await server.serveHttp({ port: flags.port })
      await print(url)
      await interrupted
    } else {
      await Promise.race([server.serveStdio().closed, interrupted])
    }
    return EXIT.ok
  } finally {
    await server.close()
  }
}

function speaking(era: string): Parameters<typeof demoServer>[0] {
  return era === 'both' || era === 'legacy' || era === 'modern' ? { era } : { versions: [era] }
}
