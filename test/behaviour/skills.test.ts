import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, connect, RpcError, UnsupportedError } from '../../src/index.ts'
import { type DemoServer, demoServer } from '../../src/testing/index.ts'
import { memoryTransport } from '../../src/transport/memory.ts'
import { stdioTransport } from '../../src/transport/stdio/stdio.ts'
import type { Transport } from '../../src/transport/transport.ts'
import { streamableHttpTransport } from '../support/http-target.ts'
import { type Crossed, recording } from '../support/recording-transport.ts'
import { rejection } from '../support/settled.ts'

const KINDS = ['memory', 'stdio', 'http-json', 'http-sse'] as const
const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18'] as const
const CELLS = KINDS.flatMap((kind) => REVISIONS.map((revision) => [kind, revision] as const))
const SKILLS = 'io.modelcontextprotocol/skills'
const URI = 'skill://demo/count-words/SKILL.md'
const RULES = 'skill://demo/count-words/references/RULES.md'

describe.each(CELLS)('the skill of the demo server over %s in %s', (kind, revision) => {
  let server: DemoServer
  let serving: { readonly url: string; close(): Promise<void> } | undefined
  let client: Client
  let crossed: Crossed[]

  async function transport(): Promise<Transport> {
    if (kind === 'memory') return memoryTransport(server)
    if (kind === 'stdio')
      return stdioTransport({ command: process.execPath, args: ['--import', 'tsx', 'test/support/demo-stdio.ts', revision] })
    serving ??= await server.serveHttp({ replies: kind === 'http-json' ? 'json' : 'sse' })
    return streamableHttpTransport(serving.url)
  }

  beforeAll(async () => {
    server = demoServer({ versions: [revision] })
    const recorded = recording(await transport())
    crossed = recorded.crossed
    client = await connect(recorded.transport, { name: 'the demo', extensions: [SKILLS], logger: false, probeTimeoutMs: 15_000 })
  }, 30_000)

  afterAll(async () => {
    await client?.close()
    await serving?.close()
    await server?.close()
  })

  const reads = (): unknown[] =>
    crossed.flatMap(({ direction, message }) =>
      direction === 'sent' && message.method === 'resources/read' ? [(message.params as { uri: unknown }).uri] : [],
    )

  it('is listed, with both of its files and nothing read', async () => {
    const skills = await client.listSkills()
    expect(skills).toMatchObject([{ server: 'the demo', uri: URI, frontmatter: { name: 'count-words' } }])
    expect(skills[0]?.resources).toMatchObject([{ uri: URI }, { uri: RULES }])
    expect(reads()).toEqual([])
  })

  it('is loaded and is what its entry says, each file when it is asked for', async () => {
    const skill = await client.loadSkill(URI)
    expect(skill).toMatchObject({ name: 'count-words', server: 'the demo' })
    expect(skill.text).toContain('[The rules](references/RULES.md)')
    expect(reads()).toEqual([URI])
    expect(await skill.read('references/RULES.md')).toMatchObject({ uri: RULES, mimeType: 'text/markdown', server: 'the demo' })
    expect(reads()).toEqual([URI, RULES])
  })

  it('is the only one', async () => {
    expect(await rejection(client.getSkill('skill://demo/other/SKILL.md'))).toMatchObject({ rpcCode: -32602 })
  })

  it.skipIf(kind === 'stdio')('is not served to a client that does not declare the extension', async () => {
    const plain = await connect(await transport(), { logger: false })
    try {
      expect(await rejection(plain.listSkills())).toBeInstanceOf(UnsupportedError)
      const refusal = await rejection(plain.request('skills/list'))
      expect(refusal).toBeInstanceOf(RpcError)
      expect(refusal).toMatchObject({ rpcCode: revision === '2026-07-28' ? -32021 : -32601 })
    } finally {
      await plain.close()
    }
  })
})
