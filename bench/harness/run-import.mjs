/** The import job: fresh processes that import a package and end. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { reasonIn } from './reason.mjs'

const run = promisify(execFile)
const PROBE = fileURLToPath(new URL('../import-probe.mjs', import.meta.url))

/** What a program imports that talks to servers over both transports. */
const SPECIFIERS = {
  ours: [new URL('../../dist/index.js', import.meta.url).href],
  v1: ['client/index.js', 'client/stdio.js', 'client/streamableHttp.js'].map((path) => `@modelcontextprotocol/sdk/${path}`),
  v2: ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'],
  aisdk: ['@ai-sdk/mcp', '@ai-sdk/mcp/mcp-stdio'],
}

export async function runImport(job, { node, samples, generations, log }) {
  for (let generation = samples.generation(job.id); generations > 0; generation++, generations--) {
    for (const client of job.clients) {
      if (samples.failure(job.id, client)) continue
      try {
        // The first start reads files from the disk; the second finds them where they will be found from then on.
        if (generation === 0) await probe(node, client)
        samples.add(job.id, client, 'import', generation, [await probe(node, client)])
      } catch (error) {
        samples.fail(job.id, client, reasonIn(error.stderr || error.message))
      }
    }
    log('.')
  }
}

async function probe(node, client) {
  const { stdout } = await run(node, ['--expose-gc', PROBE, ...SPECIFIERS[client]], { timeout: 60_000 })
  return JSON.parse(stdout).numbers
}
