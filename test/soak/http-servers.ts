// A process of its own with HTTP servers, so that what servers keep in memory is not taken for what clients keep. `<seed> <pause between
// deaths in ms>`. Tells its parent the URLs, and ends with it.

import { demoServer, type HttpServing } from '../../src/testing/index.ts'
import { random } from '../faults/random.ts'

const [seed = '1', pauseMs = '500'] = process.argv.slice(2)
const dice = random(Number(seed), 77)

/** One server that is killed and comes back at the same address, without its sessions. */
class Mortal {
  readonly #replies: 'json' | 'sse' | 'auto'
  readonly #era: 'legacy' | 'modern'
  #demo = demoServer()
  #serving: HttpServing | undefined
  #port = 0

  constructor(replies: 'json' | 'sse' | 'auto', era: 'legacy' | 'modern') {
    this.#replies = replies
    this.#era = era
  }

  async start(): Promise<string> {
    this.#demo = demoServer({ era: this.#era })
    this.#serving = await this.#demo.serveHttp({ replies: this.#replies, port: this.#port })
    this.#port = Number(new URL(this.#serving.url).port)
    return this.#serving.url
  }

  /** Every reply breaks off. */
  cut(): void {
    this.#serving?.cut()
  }

  async restart(): Promise<void> {
    this.#serving?.cut()
    await this.#demo.close()
    await this.start()
  }
}

const servers = (['json', 'sse', 'auto'] as const).flatMap((replies) => [new Mortal(replies, 'legacy'), new Mortal(replies, 'modern')])
const urls = await Promise.all(servers.map((server) => server.start()))
process.on('disconnect', () => process.exit(0))
process.send?.({ urls })

for (;;) {
  await new Promise((resolve) => setTimeout(resolve, Number(pauseMs)))
  const server = servers[dice.int(servers.length)]
  if (dice.chance(0.6)) server?.cut()
  else await server?.restart().catch(() => process.exit(1))
}
