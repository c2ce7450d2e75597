// The checks of one row, in order. Each returns nothing when all is well and throws what is wrong; undefined means the server does not offer it.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { alive, descendants, openSockets } from './left-behind.mjs'
import { ourAnswers } from './our-client.mjs'
import { topics } from './same-answers.mjs'

export const columns = [
  'connect',
  'revision',
  'list',
  'call',
  'structured',
  'progress',
  'elicitation',
  'error',
  'cancel',
  'prompt',
  'resource',
  'close',
  ...topics.map((topic) => `same ${topic}`),
]

export function checksOf({ row, connect, decide, official, sessions }) {
  const { offers, version } = row
  let client
  let started = new Set()
  let socketsBefore = 0
  let session

  return {
    async connect() {
      const before = descendants()
      socketsBefore = openSockets()
      client = await connect()
      started = new Set([...descendants()].filter((pid) => !before.has(pid)))
      assert.equal(started.size, row.transport === 'stdio' ? 1 : 0, 'processes started')
      assert.equal(client.state, 'ready')
      const { name, version: serverVersion } = client.serverInfo ?? {}
      assert.equal(name, offers.info.name)
      if (offers.info.version !== undefined) assert.equal(serverVersion, offers.info.version)
      if (offers.instructions !== undefined) assert.equal(client.instructions, offers.instructions)
    },
    revision() {
      assert.equal(client.protocolVersion, version)
    },
    async list() {
      const tools = await client.listTools()
      const names = tools.map((tool) => tool.name)
      for (const name of offers.tools) assert.ok(names.includes(name), `no tool ${name} in ${names.join(', ')}`)
    },
    async call() {
      const { name, args, text } = offers.call
      const answer = await client.callTool(name, args)
      assert.equal(answer.isError, false)
      assert.equal(answer.text, text)
    },
    structured:
      offers.structured &&
      (async () => {
        const { name, args, data } = offers.structured
        const tool = await client.findTool(name)
        const result = await tool.call(args)
        assert.equal(tool.hasStructuredOutput, true)
        assert.deepEqual(result.structuredContent, data)
        assert.deepEqual(result.data, data)
      }),
    progress:
      offers.progress &&
      (async () => {
        const { name, args, steps, total } = offers.progress
        const seen = []
        const result = await client.callTool(name, args, { onProgress: (progress) => seen.push(progress) })
        assert.equal(result.isError, false)
        assert.deepEqual(
          seen.map(({ progress }) => progress),
          steps,
        )
        for (const each of seen) assert.equal(each.total, total)
      }),
    elicitation:
      offers.elicitation &&
      (async () => {
        const { name, content, accepted, declined } = offers.elicitation
        decide({ action: 'accept', content })
        const yes = await client.callTool(name)
        assert.ok(accepted(yes), `after an accept: ${yes.text}`)
        decide({ action: 'decline' })
        const no = await client.callTool(name)
        assert.ok(declined(no), `after a decline: ${no.text}`)
      }),
    async error() {
      const { name, args, pattern } = offers.error
      const result = await client.callTool(name, args)
      assert.equal(result.isError, true)
      assert.match(result.text, pattern)
      await assert.rejects(client.callTool(name, args, { throwOnToolError: true }), { code: 'ERR_MCP_TOOL' })
    },
    cancel:
      offers.cancel &&
      (async () => {
        const { name, args, heard } = offers.cancel
        const count = async () => (await client.callTool(heard.name)).text
        if (heard !== undefined) assert.equal(await count(), heard.before)
        const controller = new AbortController()
        const reason = new Error('changed my mind')
        const call = client.callTool(name, args, { signal: controller.signal })
        setTimeout(() => controller.abort(reason), 150)
        await assert.rejects(call, (error) => error === reason)
        // The connection goes on, and the server has stopped.
        assert.equal((await client.callTool(offers.call.name, offers.call.args)).isError, false)
        if (heard === undefined) return
        for (let tries = 0; (await count()) !== heard.after; tries++) {
          assert.ok(tries < 40, 'the server was not told')
          await delay(25)
        }
      }),
    prompt:
      offers.prompt &&
      (async () => {
        const { name, args, text } = offers.prompt
        const prompts = await client.listPrompts()
        assert.ok(prompts.some((prompt) => prompt.name === name))
        const { messages } = await client.getPrompt(name, args)
        assert.equal(messages[0].content.text, text)
      }),
    resource:
      offers.resource &&
      (async () => {
        const { uri, pattern } = offers.resource
        assert.ok((await client.listResources()).length > 0)
        const [first] = await client.readResource(uri)
        assert.equal(first.uri, uri)
        assert.match(first.text, pattern)
      }),
    async close() {
      await client.close()
      await client.close()
      assert.deepEqual(alive(started), [], 'processes left')
      for (let tries = 0; openSockets() > socketsBefore; tries++) {
        assert.ok(tries < 20, `${openSockets() - socketsBefore} sockets left open`)
        await delay(25)
      }
      if (sessions !== undefined) assert.equal(await sessions(), '0', 'sessions left on the server')
    },
    ...Object.fromEntries(
      topics.map((topic) => [
        `same ${topic}`,
        topic === 'lists' || offers.same[topic] !== undefined
          ? async () => {
              decide({ action: 'cancel' })
              session ??= ourAnswers(connect, offers)
              assert.deepEqual((await session)[topic], (await official())[topic])
            }
          : undefined,
      ]),
    ),
  }
}
