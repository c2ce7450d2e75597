import { describe, expect, it } from 'vitest'
import { connect } from '../../src/connect.ts'
import { AmbiguousNameError, NotFoundError, RpcError, UnsupportedError } from '../../src/errors.ts'
import { demoServer } from '../../src/testing/index.ts'
import { grouped } from '../support/grouped.ts'
import { rejection, turns, until } from '../support/settled.ts'
import { smallServer } from '../support/small-server.ts'

const SKILLS = 'io.modelcontextprotocol/skills'
const files = (): ReturnType<typeof smallServer> =>
  smallServer({ name: 'F', tools: ['read', 'find'], prompts: ['greet', 'sum'], resources: ['file:///a'], templates: ['file:///{path}'] })
const docs = (): ReturnType<typeof smallServer> =>
  smallServer({
    name: 'D',
    tools: ['read', 'index'],
    prompts: ['greet'],
    resources: ['doc://b', 'file:///a'],
    templates: ['doc://{id}/page'],
  })

describe('a tool of a group', () => {
  it('is found by its name when one server has it', async () => {
    const group = await grouped({ files: files(), docs: docs() })
    expect((await group.callTool('find')).text).toBe('F: find')
    expect((await group.callTool('index')).text).toBe('D: index')
  })

  it('that several servers have is refused with the servers, and nothing is sent', async () => {
    const [f, d] = [files(), docs()]
    const group = await grouped({ files: f, docs: d })
    const error = await rejection(group.callTool('read'))
    expect(error).toBeInstanceOf(AmbiguousNameError)
    expect(error).toMatchObject({ kind: 'tool', wanted: 'read', candidates: ['files', 'docs'], outcome: 'not-run' })
    expect(String(error)).toContain('"read" is a tool of more than one server: "files", "docs"; name one by the option server')
    expect([...f.requests, ...d.requests].filter(({ method }) => method === 'tools/call')).toEqual([])
  })

  it('is called on the server that is named: by its name in any case, its place, or its client', async () => {
    const group = await grouped({ files: files(), docs: docs() })
    for (const server of ['docs', 'DOCS', 1, await group.client('docs')]) {
      expect((await group.callTool('read', {}, { server })).text).toBe('D: read')
    }
  })

  it('is asked of no server that there is not', async () => {
    const group = await grouped({ files: files(), docs: docs(), Docs: docs() })
    expect(await rejection(group.callTool('read', {}, { server: 'file' }))).toMatchObject({
      code: 'ERR_MCP_NOT_FOUND',
      kind: 'server',
      candidates: ['files'],
    })
    // Two servers differ only in case.
    expect(await rejection(group.callTool('read', {}, { server: 'DOCS' }))).toBeInstanceOf(NotFoundError)
    for (const server of [3, -1, 0.5]) expect(await rejection(group.callTool('read', {}, { server }))).toBeInstanceOf(NotFoundError)
    // @ts-expect-error: neither name nor place nor client
    expect(await rejection(group.callTool('read', {}, { server: false }))).toBeInstanceOf(TypeError)
    const stranger = await connect(demoServer(), { logger: false })
    expect(await rejection(group.callTool('read', {}, { server: stranger }))).toBeInstanceOf(TypeError)
    await stranger.close()
  })

  it('that no server has is refused with the closest names, after the servers were asked anew', async () => {
    const f = files()
    const group = await grouped({ files: f, docs: docs() })
    await group.listTools()
    const error = await rejection(group.callTool('fnd'))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ kind: 'tool', wanted: 'fnd', candidates: ['find'], unasked: [] })
    f.tools.push({ name: 'fnd', inputSchema: { type: 'object' } })
    expect((await group.callTool('fnd')).text).toBe('F: fnd')
  })

  it('that no server has, while one cannot be asked, says which', async () => {
    const group = await grouped({ files: files(), docs: docs(), away: smallServer({ refuse: 9 }) })
    const error = await rejection(group.callTool('other'))
    expect(error).toMatchObject({ code: 'ERR_MCP_NOT_FOUND', unasked: ['away'], cause: expect.any(AggregateError) })
    expect(String(error)).toContain('cannot be reached: "away"')
  })

  it('is not looked up where there is only one server', async () => {
    const server = files()
    const group = await grouped({ files: server })
    expect((await group.callTool('unlisted')).text).toBe('F: unlisted')
    expect(server.requests.map(({ method }) => method)).not.toContain('tools/list')
  })

  it('is looked up once for many calls', async () => {
    const [f, d] = [files(), docs()]
    const group = await grouped({ files: f, docs: d })
    for (let call = 0; call < 5; call++) await group.callTool('find')
    expect([f, d].map(({ requests }) => requests.filter(({ method }) => method === 'tools/list').length)).toEqual([1, 1])
  })

  it('has its server and is called there, whatever others call theirs', async () => {
    const group = await grouped({ files: files(), docs: docs() })
    const reads = await group.findTools('read')
    expect(reads.map(({ server }) => server)).toEqual(['files', 'docs'])
    expect(await Promise.all(reads.map(async (tool) => (await tool.call()).text))).toEqual(['F: read', 'D: read'])
    expect((await group.findTool('index')).server).toBe('docs')
    expect((await group.findTool(/^in/)).server).toBe('docs')
    expect((await group.findTool(({ name }) => name === 'find')).name).toBe('find')
    expect(await rejection(group.findTool('read'))).toBeInstanceOf(AmbiguousNameError)
    expect((await group.findTool('read', { server: 'docs' })).server).toBe('docs')
    expect(await rejection(group.findTool('fnd'))).toMatchObject({ candidates: ['find'] })
    expect(await rejection(group.findTool(/^nothing/))).toBeInstanceOf(NotFoundError)
    expect(await group.findTools(/^nothing/)).toEqual([])
  })

  it('streams from the server that has it', async () => {
    const group = await grouped({ files: files(), demo: demoServer() })
    const events: string[] = []
    for await (const event of group.callToolStream('slow', { steps: 2, delayMs: 1 })) events.push(event.type)
    expect(events.at(-1)).toBe('result')
    expect(events).toContain('progress')
    expect(await rejection(group.callToolStream('nothing').next())).toBeInstanceOf(NotFoundError)
  })

  it('that its server does not know after all is looked up anew', async () => {
    const d = smallServer({
      name: 'D',
      tools: ['moved'],
      answer: ({ method }) => (method === 'tools/call' ? { error: { code: -32602, message: 'unknown tool' } } : undefined),
    })
    const f = files()
    const group = await grouped({ files: f, docs: d })
    await group.listTools()
    d.tools = []
    f.tools.push({ name: 'moved', inputSchema: { type: 'object' } })
    expect(await rejection(group.callTool('moved'))).toBeInstanceOf(RpcError)
    await (await group.client('docs')).listTools()
    expect(await rejection(group.callTool('moved'))).toBeInstanceOf(NotFoundError)
    expect((await group.callTool('moved')).text).toBe('F: moved')
  })
})

describe('several calls of a group', () => {
  it('go each to the server that has the tool, and say what became of each', async () => {
    const group = await grouped({ files: files(), docs: docs() })
    const results = await group.callTools([
      { name: 'find' },
      { name: 'read' },
      { name: 'read', server: 'docs' },
      { name: 'index', args: {} },
    ])
    expect(results.map((each) => (each.status === 'fulfilled' ? each.value.text : each.reason.code))).toEqual([
      'F: find',
      'ERR_MCP_AMBIGUOUS',
      'D: read',
      'D: index',
    ])
    const [first, second] = await group.callTools([{ name: 'read' }, { name: 'read', server: 'files' }], { server: 'docs' })
    expect([first, second]).toMatchObject([{ value: { text: 'D: read' } }, { value: { text: 'F: read' } }])
  })
})

describe('skills of a group', () => {
  const skill = (server: string): object => ({
    uri: `skill://${server}/SKILL.md`,
    frontmatter: { name: server, description: server },
    resources: 'dynamic',
  })
  const skilled = (name: string): ReturnType<typeof smallServer> =>
    smallServer({
      name,
      capabilities: { extensions: { [SKILLS]: {} } },
      answer: ({ method }) =>
        method === 'skills/list' ? { skills: [skill(name)] } : method === 'skills/get' ? { skill: skill(name) } : undefined,
    })

  it('are listed with their servers, and those without skills are passed over', async () => {
    const group = await grouped({ a: skilled('a'), b: skilled('b'), plain: files() }, { extensions: [SKILLS] })
    const { skills, failures } = await group.listSkills()
    expect(skills.map(({ server, uri }) => `${server} ${uri}`)).toEqual(['a skill://a/SKILL.md', 'b skill://b/SKILL.md'])
    expect(failures.size).toBe(0)
    expect(await rejection(group.getSkill('skill://a/SKILL.md'))).toMatchObject({ code: 'ERR_MCP_AMBIGUOUS', kind: 'server' })
    expect((await group.getSkill('skill://a/SKILL.md', { server: 'a' })).server).toBe('a')
    expect(await rejection(group.loadSkill('skill://a/SKILL.md'))).toBeInstanceOf(AmbiguousNameError)
  })

  it('are loaded from the server that listed them', async () => {
    const [a, b] = [skilled('a'), skilled('b')]
    const group = await grouped({ a, b }, { extensions: [SKILLS] })
    const { skills } = await group.listSkills()
    const second = skills.find(({ server }) => server === 'b')
    const error = second && (await rejection(group.loadSkill(second)))
    expect(error).toMatchObject({ server: 'b' })
    expect(a.requests.some(({ method }) => method === 'resources/read')).toBe(false)
  })
})

describe('tasks of a group', () => {
  const working = (): ReturnType<typeof demoServer> => demoServer({ versions: ['2025-11-25'] })

  it('run on the server that has the tool, and their handles know it', async () => {
    const group = await grouped({ files: files(), one: working(), two: working() })
    expect(await rejection(group.callToolAsTask('job', { steps: 1 }))).toBeInstanceOf(AmbiguousNameError)
    const task = await group.callToolAsTask('job', { steps: 1, delayMs: 1 }, { server: 'two' })
    expect(task.server).toBe('two')
    expect((await task.result()).isError).toBe(false)
    const { tasks, failures } = await group.listTasks()
    expect(tasks.map(({ server, id }) => `${server} ${id}`)).toEqual([`two ${task.id}`])
    expect(failures.size).toBe(0)
    const pages = []
    for await (const { items } of group.pages('tasks', { server: 'two' })) pages.push(...items)
    expect(pages.map(({ server, id }) => [server, id])).toEqual([['two', task.id]])
  })

  it('known by their ids alone need the name of their server where there are several', async () => {
    const group = await grouped({ one: working(), two: working() })
    const { id = '' } = await group.callToolAsTask('job', { steps: 1, delayMs: 1 }, { server: 'two' })
    expect(await rejection(group.task(id))).toMatchObject({ code: 'ERR_MCP_AMBIGUOUS', kind: 'server', candidates: ['one', 'two'] })
    const again = await group.task(id, { server: 'two', tool: 'job' })
    expect(await again.refresh()).toBe(again)
    expect(again).toMatchObject({ server: 'two', tool: 'job', id })
    expect(await rejection((await group.task(id, { server: 'one' })).refresh())).toMatchObject({ server: 'one' })
  })

  it('are no list where no server has one', async () => {
    const group = await grouped({ files: files(), docs: docs() })
    expect(await rejection(group.listTasks())).toBeInstanceOf(UnsupportedError)
  })
})

describe('what is held of a group', () => {
  it('is forgotten by clearCache, of all or of one server', async () => {
    const group = await grouped({ files: files(), demo: demoServer() })
    const [a, b] = [await group.client('files'), await group.client('demo')]
    const cleared: string[] = []
    for (const client of [a, b]) {
      const clear = client.clearCache.bind(client)
      client.clearCache = () => {
        cleared.push(client.name)
        clear()
      }
    }
    group.clearCache()
    group.clearCache({ server: 'demo' })
    expect(cleared).toEqual(['files', 'demo', 'demo'])
  })
})

describe('prefixed names', () => {
  it('are what tools and prompts are called, and lead back', async () => {
    const group = await grouped({ files: files(), docs: docs() }, { naming: 'prefixed' })
    const { tools } = await group.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['files__read', 'files__find', 'docs__read', 'docs__index'])
    expect(tools.map(({ definition }) => definition.name)).toEqual(['read', 'find', 'read', 'index'])
    expect(await Promise.all(tools.map(async (tool) => (await tool.call()).text))).toEqual(['F: read', 'F: find', 'D: read', 'D: index'])
    expect((await group.callTool('docs__read')).text).toBe('D: read')
    expect((await group.findTool('docs__read')).server).toBe('docs')
    const { prompts } = await group.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['files__greet', 'files__sum', 'docs__greet'])
    expect((await group.getPrompt('docs__greet')).description).toBe('D: greet')
  })

  it('lead back before anything was listed, and start only the server that they are of', async () => {
    const [f, d] = [files(), docs()]
    const group = await grouped({ files: f, docs: d }, { naming: 'prefixed', lazy: true })
    expect((await group.callTool('docs__read')).text).toBe('D: read')
    expect([f.opened, d.opened]).toEqual([0, 1])
  })

  it('are also understood beside the server, and so are bare names', async () => {
    const group = await grouped({ files: files(), docs: docs() }, { naming: 'prefixed' })
    expect((await group.callTool('docs__read', {}, { server: 'docs' })).text).toBe('D: read')
    expect((await group.callTool('read', {}, { server: 'docs' })).text).toBe('D: read')
    expect((await group.callTool('index')).text).toBe('D: index')
    expect(await rejection(group.callTool('read'))).toMatchObject({ code: 'ERR_MCP_AMBIGUOUS', candidates: ['files__read', 'docs__read'] })
  })

  it('cannot be taken by another server while theirs is away', async () => {
    const evil = smallServer({ name: 'E', tools: ['files__read'] })
    const group = await grouped({ files: smallServer({ refuse: 9 }), evil }, { naming: 'prefixed' })
    const error = await rejection(group.callTool('files__read', { secret: 1 }))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(evil.requests.map(({ method }) => method)).not.toContain('tools/call')
    expect((await group.callTool('evil__files__read')).text).toBe('E: files__read')
  })

  it('are fit for every vendor, also of one server alone and of names that are not', async () => {
    const group = await grouped({ 'My (test) Server': smallServer({ tools: ['a.b/c', 'x'.repeat(100)] }) }, { naming: 'prefixed' })
    const { tools } = await group.listTools()
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect((await group.callTool(tool.name)).text).toBe(`small: ${tool.definition.name}`)
    }
  })
})

describe('prompts and resources of a group', () => {
  it('are found like tools', async () => {
    const group = await grouped({ files: files(), docs: docs() })
    expect((await group.getPrompt('sum')).description).toBe('F: sum')
    expect(await rejection(group.getPrompt('greet'))).toMatchObject({ code: 'ERR_MCP_AMBIGUOUS', kind: 'prompt' })
    expect((await group.getPrompt('greet', {}, { server: 'docs' })).description).toBe('D: greet')
    expect(await rejection(group.getPrompt('gret'))).toMatchObject({ code: 'ERR_MCP_NOT_FOUND', kind: 'prompt', candidates: ['greet'] })
  })

  it('are read from the server that lists them, or has a template for them', async () => {
    const group = await grouped({ files: files(), docs: docs() })
    expect(await group.readResource('doc://b')).toMatchObject([{ text: 'D' }])
    expect(await group.readResource('doc://7/page')).toMatchObject([{ text: 'D' }])
    expect(await group.readResource('file:///other')).toMatchObject([{ text: 'F' }])
    expect(await rejection(group.readResource('file:///a'))).toMatchObject({ code: 'ERR_MCP_AMBIGUOUS', kind: 'resource' })
    expect(await group.readResource('file:///a', { server: 'docs' })).toMatchObject([{ text: 'D' }])
    expect(await rejection(group.readResource('nobody://x'))).toMatchObject({ code: 'ERR_MCP_NOT_FOUND', kind: 'resource' })
  })

  it('are read and completed by a template of the server that lists it', async () => {
    const group = await grouped({ files: files(), docs: docs(), demo: demoServer() })
    expect(await group.readResource({ template: 'doc://{id}/page', variables: { id: 3 } })).toMatchObject([
      { uri: 'doc://3/page', text: 'D' },
    ])
    expect(await rejection(group.readResource({ template: 'other://{id}', variables: {} }))).toBeInstanceOf(NotFoundError)
    const { resourceTemplates } = await group.listResourceTemplates({ server: 'demo' })
    const [template] = resourceTemplates
    expect(template).toBeDefined()
    const argument = /\{(\w+)/.exec(template?.uriTemplate ?? '')?.[1] ?? ''
    expect((await group.complete({ template: template?.uriTemplate ?? '', argument, value: '' })).values.length).toBeGreaterThan(0)
  })

  it('are completed on the server that has the prompt', async () => {
    for (const naming of ['as-is', 'prefixed'] as const) {
      const group = await grouped({ docs: smallServer({ prompts: ['other'] }), demo: demoServer() }, { naming })
      const { prompts } = await group.listPrompts({ server: 'demo' })
      const prompt = prompts.find(({ arguments: args }) => args?.some(({ name }) => name !== ''))
      const completion = await group.complete({ prompt: prompt?.name ?? '', argument: prompt?.arguments?.[0]?.name ?? '', value: '' })
      expect(completion.values).toBeInstanceOf(Array)
    }
    const group = await grouped({ files: files(), docs: docs() })
    expect(await rejection(group.complete({ prompt: 'greet', argument: 'a', value: '' }))).toBeInstanceOf(AmbiguousNameError)
    expect(await rejection(group.complete({ prompt: 'none', argument: 'a', value: '' }))).toBeInstanceOf(NotFoundError)
  })

  it.each(['2026-07-28', '2025-11-25'] as const)('tell of their updates, with their server, in %s', async (version) => {
    const demo = demoServer({ versions: [version] })
    const group = await grouped({ files: files(), demo })
    const heard: string[] = []
    group.on('resourceUpdated', ({ uri }, server) => heard.push(`${server} ${uri}`))
    await group.subscribe('demo://clock')
    demo.tick()
    await until(() => heard.length > 0)
    expect(heard).toEqual(['demo demo://clock'])
    const watching = group.watch('demo://clock')
    const update = watching.next()
    await turns()
    demo.tick()
    expect((await update).value).toMatchObject({ uri: 'demo://clock' })
    await watching.return()
    await group.unsubscribe('demo://clock')
    expect(await rejection(group.subscribe('nobody://x'))).toBeInstanceOf(NotFoundError)
    expect(await rejection(group.watch('nobody://x').next())).toBeInstanceOf(NotFoundError)
  })

  it('are listed with their servers', async () => {
    const group = await grouped({ files: files(), docs: docs(), away: smallServer({ refuse: 9 }) })
    const { resources, failures } = await group.listResources()
    expect(resources.map(({ uri, server }) => `${server} ${uri}`)).toEqual(['files file:///a', 'docs doc://b', 'docs file:///a'])
    expect([...failures.keys()]).toEqual(['away'])
    expect((await group.listResourceTemplates()).resourceTemplates.map(({ server }) => server)).toEqual(['files', 'docs'])
    expect((await group.listPrompts({ server: 'docs' })).prompts).toMatchObject([{ name: 'greet', server: 'docs' }])
  })

  it('come page by page from one server', async () => {
    const group = await grouped({ demo: demoServer({ pageSize: 5 }), files: files() })
    const pages = []
    for await (const page of group.pages('tools', { server: 'demo' })) pages.push(page)
    expect(pages.length).toBeGreaterThan(1)
    expect(pages[0]?.items[0]?.server).toBe('demo')
    for await (const { items } of group.pages('prompts', { server: 'files' }))
      expect(items[0]).toMatchObject({ name: 'greet', server: 'files' })
    expect(await rejection(group.pages('tools').next())).toMatchObject({ code: 'ERR_MCP_AMBIGUOUS', kind: 'server' })
  })
})

describe('what cannot be looked up', () => {
  it('needs the name of a server where there are several', async () => {
    const [f, d] = [files(), docs()]
    const group = await grouped({ files: f, docs: d })
    const error = await rejection(group.request('ping'))
    expect(error).toMatchObject({ code: 'ERR_MCP_AMBIGUOUS', kind: 'server', wanted: 'ping', candidates: ['files', 'docs'] })
    expect(await rejection(group.notify('notifications/x'))).toBeInstanceOf(AmbiguousNameError)
    expect(await group.request('ping', undefined, { server: 1 })).toEqual({})
    await group.notify('notifications/x', { a: 1 }, { server: 'docs' })
    await until(() => d.requests.some(({ method }) => method === 'notifications/x'))
    expect(f.requests.some(({ method }) => method === 'notifications/x')).toBe(false)
  })

  it('needs none where there is one', async () => {
    const server = files()
    const group = await grouped({ files: server })
    expect(await group.request('ping')).toEqual({})
  })
})
