/** Starts the HTTP servers of the benchmark, each in a process of its own, when a job first asks for one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(`../servers/${name}`, import.meta.url))

export class Servers {
  #node
  #started = new Map()
  #children = new Set()

  constructor(node) {
    this.#node = node
    process.on('exit', () => this.stop())
  }

  /** What a job's `server` means to a client: a command, or a URL, and the ports for jobs that talk to many. */
  async target(server) {
    if (server === 'stdio') return { command: [this.#node, path('stdio.mjs')] }
    if (server === 'many') return { ports: await this.#ports(['--listeners', '50']) }
    // Sockets that the server closes soon: what an idle connection costs without them.
    const args = server === 'json-short' ? ['--idle-ms', '500'] : []
    const [port] = await this.#ports(args)
    return { url: `http://127.0.0.1:${port}/${server === 'sse' ? 'sse' : 'json'}/mcp` }
  }

  #ports(args) {
    const key = args.join(' ')
    if (!this.#started.has(key)) this.#started.set(key, this.#start(args))
    return this.#started.get(key)
  }

  async #start(args) {
    const child = spawn(this.#node, [path('http.mjs'), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#children.add(child)
    const [line] = await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error('the HTTP server did not start'))),
    ])
    return JSON.parse(line).ports
  }

  stop() {
    for (const child of this.#children) child.kill()
    this.#children.clear()
  }
}
