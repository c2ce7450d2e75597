import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type Client,
  type ConnectOptions,
  ProtocolError,
  RpcError,
  type SkillResource,
  UnsupportedError,
  ValidationError,
} from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { type FakeServer, legacyServer, modernServer, ServerError } from '../../support/fake-server.ts'
import { recordingLogger } from '../../support/loggers.ts'
import { rejection } from '../../support/settled.ts'

const ID = 'io.modelcontextprotocol/skills'
const URI = 'skill://acme/pdf/SKILL.md'
const FORMS = 'skill://acme/pdf/references/FORMS.md'
const SKILL_MD = `---
name: pdf
description: Extracts text
metadata:
  version: "2.1"
  tags: [a, b]
---

Read [the forms](references/FORMS.md).
`
const ON: ConnectOptions = { extensions: [ID] }

const digest = (content: string | Uint8Array): string => `sha256:${createHash('sha256').update(content).digest('hex')}`
const file = (uri: string, content: string): SkillResource => ({ uri, digest: digest(content), size: Buffer.byteLength(content) })
const FRONTMATTER = { name: 'pdf', description: 'Extracts text', metadata: { version: '2.1', tags: ['a', 'b'] } }
const ENTRY = { uri: URI, frontmatter: FRONTMATTER, resources: [file(URI, SKILL_MD), file(FORMS, 'form ä')] }

/** A server of these skills whose files are served as they stand here. */
function skillServer(skills: readonly unknown[], files: Record<string, object> = {}, make = modernServer): FakeServer {
  const served: Record<string, object> = { [URI]: { text: SKILL_MD }, [FORMS]: { text: 'form ä', mimeType: 'text/markdown' }, ...files }
  return make(
    {
      'skills/list': ({ params }) =>
        params.cursor === undefined && skills.length > 1 ? { skills: skills.slice(0, 1), nextCursor: 'n' } : { skills: skills.slice(-1) },
      'skills/get': ({ params }) => {
        const skill = skills.find((each) => (each as { uri?: unknown }).uri === params.uri)
        if (skill === undefined) throw new ServerError(-32602, 'no such skill')
        return { skill }
      },
      'resources/read': ({ params }) => ({ contents: [{ uri: params.uri, ...served[String(params.uri)] }] }),
    },
    { capabilities: { resources: {}, extensions: { [ID]: {} } } },
  )
}

describe.each([
  ['legacy', legacyServer],
  ['modern', modernServer],
])('skills, %s era', (_era, make) => {
  it('are listed with where they came from, all pages, and nothing is read', async () => {
    const other = { ...ENTRY, uri: 'skill://other/pdf/SKILL.md' }
    const fake = skillServer([ENTRY, other], {}, make as typeof modernServer)
    const client = await connected(fake, ON)
    expect(await client.listSkills()).toEqual([
      { ...ENTRY, server: 'fake' },
      { ...other, server: 'fake' },
    ])
    expect(fake.calls('resources/read')).toEqual([])
  })

  it('are loaded by entry or by URI, and their files one by one when they are asked for', async () => {
    const fake = skillServer([ENTRY], {}, make as typeof modernServer)
    const client = await connected(fake, ON)
    const [listed] = await client.listSkills()
    for (const given of [listed ?? '', URI]) {
      fake.received.length = 0
      const skill = await client.loadSkill(given)
      expect(skill).toMatchObject({ name: 'pdf', description: 'Extracts text', server: 'fake', text: SKILL_MD })
      expect(fake.calls('resources/read')).toHaveLength(1)
      for (const path of ['references/FORMS.md', './references//FORMS.md', 'references/x/../FORMS.md', FORMS]) {
        expect(await skill.read(path)).toEqual({
          server: 'fake',
          uri: FORMS,
          mimeType: 'text/markdown',
          text: 'form ä',
          bytes: new Uint8Array(Buffer.from('form ä')),
        })
      }
      expect(fake.calls('resources/read')).toHaveLength(5)
    }
  })
})

describe('a skill', () => {
  const load = async (entry: unknown, files: Record<string, object> = {}, options?: object): Promise<[Client, FakeServer, unknown]> => {
    const fake = skillServer([entry], files)
    const client = await connected(fake, ON)
    return [client, fake, await rejection(client.loadSkill({ ...(entry as typeof ENTRY), server: 'fake' }, options))]
  }

  it.each<[string, object]>([
    ['of the same size with another digest', { text: SKILL_MD.replace('Read', 'Head') }],
    ['of another size', { text: `${SKILL_MD}!` }],
    ['of the same length in characters, not in bytes', { text: SKILL_MD.replace('Read', 'Reäd') }],
  ])('whose SKILL.md comes %s is not loaded', async (_what, content) => {
    const [, fake, error] = await load(ENTRY, { [URI]: content })
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({ reason: 'mismatch', server: 'fake' })
    expect(fake.calls('resources/read')).toHaveLength(1)
  })

  it.each<[string, string]>([
    ['another value', SKILL_MD.replace('Extracts text', 'Sends secrets')],
    ['a field more', SKILL_MD.replace('name: pdf', 'name: pdf\nallowed-tools: Bash')],
    ['a field less', SKILL_MD.replace('metadata:\n  version: "2.1"\n  tags: [a, b]\n', '')],
    ['another type', SKILL_MD.replace('"2.1"', '2.1')],
    ['another order of a list', SKILL_MD.replace('[a, b]', '[b, a]')],
    ['no frontmatter', SKILL_MD.replace('---\n', '')],
    ['frontmatter that is no mapping', '---\n- a\n---\n'],
    ['frontmatter that is no YAML', '---\nname: [\n---\n'],
    ['frontmatter with a name twice', SKILL_MD.replace('name: pdf', 'name: pdf\nname: pdf')],
    [
      'frontmatter that grows without end',
      `---\na: &a [x,x]\n${Array.from({ length: 40 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`},*${i === 0 ? 'a' : `b${i - 1}`}]`).join('\n')}\n---\n`,
    ],
    ['frontmatter nested too deeply', `---\nname: ${'['.repeat(16_000)}\n---\n`],
    ['frontmatter of lists within lists', `---\nname: pdf\nx: ${'['.repeat(100)}${']'.repeat(100)}\n---\n`],
    ['frontmatter of blocks within blocks', `---\n${'- '.repeat(8_000)}\n---\n`],
    ['frontmatter that is too long', `---\nname: pdf\ndescription: Extracts text\nx: ${'y'.repeat(70_000)}\n---\n`],
  ])('whose SKILL.md has %s is not loaded', async (_what, text) => {
    const [, , error] = await load({ ...ENTRY, resources: [file(URI, text)] }, { [URI]: { text } })
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toHaveProperty('message', expect.stringContaining('frontmatter'))
  })

  it.each<[string, string]>([
    ['Windows line ends', '---\r\nname: pdf\r\ndescription: Extracts text\r\n---\r\nText'],
    ['a byte order mark', '\ufeff---\nname: pdf\ndescription: Extracts text\n---\n'],
    ['nothing behind it', '---\nname: pdf\ndescription: Extracts text\n---'],
    ['dashes in a value', '---\nname: pdf\ndescription: |-\n  Extracts text\n---\n\n---\nname: other\n---\n'],
  ])('whose frontmatter has %s is loaded', async (_what, text) => {
    const entry = { uri: URI, frontmatter: { name: 'pdf', description: 'Extracts text' }, resources: [file(URI, text)] }
    const client = await connected(skillServer([entry], { [URI]: { text } }), ON)
    expect((await client.loadSkill(URI)).text).toBe(text)
  })

  const many = Array.from({ length: 512 }, (_, i) => file(`skill://acme/pdf/${i}`, 'x'))
  it.each<[string, object]>([
    ['without a list of files', { resources: undefined }],
    ['with something else for it', { resources: 'none' }],
    ['whose list lacks SKILL.md', { resources: [file(FORMS, 'x')] }],
    ['whose list names a file twice', { resources: [file(URI, SKILL_MD), file(URI, SKILL_MD)] }],
    ['whose list leaves its folder', { resources: [file(URI, SKILL_MD), file('skill://acme/other/SKILL.md', 'x')] }],
    ['whose list climbs out of it', { resources: [file(URI, SKILL_MD), file('skill://acme/pdf/../other.md', 'x')] }],
    ['whose list climbs out of it, encoded', { resources: [file(URI, SKILL_MD), file('skill://acme/pdf/%2e%2E%2fother.md', 'x')] }],
    ['with a file without size', { resources: [{ uri: URI, digest: digest(SKILL_MD) }] }],
    ['with a file of negative size', { resources: [{ ...file(URI, SKILL_MD), size: -1 }] }],
    ['with a file without digest', { resources: [{ uri: URI, size: 5 }] }],
    ['with a digest of another kind', { resources: [{ ...file(URI, SKILL_MD), digest: `md5:${'0'.repeat(32)}` }] }],
    ['with a digest in capitals', { resources: [{ ...file(URI, SKILL_MD), digest: digest(SKILL_MD).toUpperCase() }] }],
    ['with more than 512 files', { resources: [file(URI, SKILL_MD), ...many] }],
    ['with more than 16 MiB', { resources: [file(URI, SKILL_MD), { ...file(FORMS, ''), size: 16_777_216 }] }],
    ['with another name than its folder', { frontmatter: { ...FRONTMATTER, name: 'PDF' } }],
    ['that is no SKILL.md', { uri: 'skill://acme/pdf/README.md' }],
    ['made anew each time', { resources: 'dynamic' }],
  ])('%s is not loaded, and nothing is read', async (_what, change) => {
    const [, fake, error] = await load({ ...ENTRY, ...change })
    expect(error).toBeInstanceOf(ValidationError)
    expect(fake.calls('resources/read')).toEqual([])
  })

  it('of exactly 512 files and 16 MiB is loaded', async () => {
    const rest = many.slice(0, 511).map((each, i) => ({ ...each, size: i === 0 ? 16_777_216 - 510 - Buffer.byteLength(SKILL_MD) : 1 }))
    const client = await connected(skillServer([{ ...ENTRY, resources: [file(URI, SKILL_MD), ...rest] }]), ON)
    expect((await client.loadSkill(URI)).name).toBe('pdf')
  })

  it('gives only the files that its entry lists, whatever the server would serve', async () => {
    const fake = skillServer([ENTRY], { 'skill://acme/pdf/new.md': { text: 'new' } })
    const skill = await (await connected(fake, ON)).loadSkill(URI)
    for (const path of ['new.md', '../other/SKILL.md', '../../x', 'https://elsewhere/x', 'skill://acme/other/SKILL.md'])
      expect(await rejection(skill.read(path))).toBeInstanceOf(ValidationError)
    expect(fake.calls('resources/read')).toHaveLength(1)
  })

  it('gives no file whose content is another, nor one whose bytes are no bytes', async () => {
    const fake = skillServer([ENTRY], { [FORMS]: { text: 'form Ä' } })
    const skill = await (await connected(fake, ON)).loadSkill(URI)
    expect(await rejection(skill.read('references/FORMS.md'))).toBeInstanceOf(ValidationError)
    fake.methods['resources/read'] = ({ params }) => ({ contents: [{ uri: params.uri, blob: '***' }] })
    expect(await rejection(skill.read('references/FORMS.md'))).toBeInstanceOf(ProtocolError)
    fake.methods['resources/read'] = () => ({ contents: [{ uri: 'skill://else', text: 'form ä' }] })
    expect(await rejection(skill.read('references/FORMS.md'))).toBeInstanceOf(ProtocolError)
  })

  it('reads bytes as they are', async () => {
    const bytes = Buffer.from([0, 255, 254, 65])
    const entry = { ...ENTRY, resources: [file(URI, SKILL_MD), { uri: FORMS, digest: digest(bytes), size: 4 }] }
    const skill = await (await connected(skillServer([entry], { [FORMS]: { blob: bytes.toString('base64') } }), ON)).loadSkill(URI)
    expect((await skill.read(FORMS)).bytes).toEqual(new Uint8Array(bytes))
  })

  it('made anew each time is loaded for who wants it, with the frontmatter checked and what is read bounded', async () => {
    const entry = { ...ENTRY, resources: 'dynamic' }
    const fake = skillServer([entry], { 'skill://acme/pdf/big': { text: 'x'.repeat(16_777_200) } })
    const client = await connected(fake, ON)
    const skill = await client.loadSkill(URI, { allowDynamic: true })
    expect((await skill.read('references/FORMS.md')).text).toBe('form ä')
    expect(await rejection(skill.read('../x'))).toBeInstanceOf(ValidationError)
    expect(await rejection(skill.read('big'))).toBeInstanceOf(ValidationError)
    fake.methods['resources/read'] = ({ params }) => ({ contents: [{ uri: params.uri, text: SKILL_MD.replace('text', 'txt') }] })
    expect(await rejection(client.loadSkill(URI, { allowDynamic: true }))).toBeInstanceOf(ValidationError)
  })

  it('is held as it was: a change of the entry behind it changes nothing', async () => {
    const client = await connected(skillServer([ENTRY]), ON)
    const given = structuredClone({ ...ENTRY, server: 'fake' })
    const skill = await client.loadSkill(given)
    given.resources.push(file('skill://acme/pdf/new.md', 'new'))
    expect(await rejection(skill.read('new.md'))).toBeInstanceOf(ValidationError)
  })

  it('of another server is a mistake of the caller', async () => {
    const fake = skillServer([ENTRY])
    const client = await connected(fake, ON)
    const sent = fake.received.length
    for (const given of [{ ...ENTRY, server: 'other' }, ENTRY, {}, 5])
      expect(await rejection(client.loadSkill(given as never))).toBeInstanceOf(TypeError)
    expect(await rejection(client.getSkill(''))).toBeInstanceOf(TypeError)
    expect(fake.received).toHaveLength(sent)
  })

  it('that does not exist is the answer of the server, and another one than was asked for is none', async () => {
    const fake = skillServer([ENTRY])
    const client = await connected(fake, ON)
    expect(await rejection(client.getSkill('skill://no/SKILL.md'))).toBeInstanceOf(RpcError)
    fake.methods['skills/get'] = () => ({ skill: ENTRY })
    expect(await rejection(client.getSkill('skill://b/pdf/SKILL.md'))).toBeInstanceOf(ProtocolError)
  })

  it('that is malformed is left out of the list with a warning', async () => {
    const logger = recordingLogger()
    const client = await connected(skillServer([ENTRY, { uri: URI, frontmatter: {} }]), { ...ON, logger })
    expect(await client.listSkills()).toHaveLength(1)
    expect(logger.of('warn').join()).toContain('skills/list')
  })

  it.each<[string, ConnectOptions, object]>([
    ['the client', {}, { [ID]: {} }],
    ['the server', ON, {}],
  ])('is not to be had when %s lacks the extension; nothing is sent', async (_who, options, theirs) => {
    const fake = modernServer({}, { capabilities: { resources: {}, extensions: theirs } })
    const client = await connected(fake, options)
    const sent = fake.received.length
    for (const attempt of [client.listSkills(), client.getSkill(URI), client.loadSkill(URI)])
      expect(await rejection(attempt)).toBeInstanceOf(UnsupportedError)
    expect(fake.received).toHaveLength(sent)
  })
})
