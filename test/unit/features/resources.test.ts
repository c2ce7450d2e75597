import { describe, expect, it } from 'vitest'
import { isText, type ResourceAddress } from '../../../src/index.ts'
import { connected } from '../../support/connected.ts'
import { legacyServer, modernServer, paramsOf } from '../../support/fake-server.ts'
import { rejection } from '../../support/settled.ts'

const contents = ({ params }: { params: { readonly uri?: unknown } }) => ({ contents: [{ uri: params.uri, text: 't' }] })

/** Those of RFC 6570, section 1.2 and 3.2. */
const RFC_VARIABLES = {
  count: ['one', 'two', 'three'],
  dom: ['example', 'com'],
  dub: 'me/too',
  hello: 'Hello World!',
  half: '50%',
  var: 'value',
  who: 'fred',
  base: 'http://example.com/home/',
  path: '/foo/bar',
  list: ['red', 'green', 'blue'],
  keys: { semi: ';', dot: '.', comma: ',' },
  v: '6',
  x: '1024',
  y: '768',
  empty: '',
  undef: null,
}

describe('a resource by a template', () => {
  it.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['?{x,undef}', '?1024'],
    ['{var:3}', 'val'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
    ['{keys}', 'semi,%3B,dot,.,comma,%2C'],
    ['{keys*}', 'semi=%3B,dot=.,comma=%2C'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{+path}/here', '/foo/bar/here'],
    ['{+base}index', 'http://example.com/home/index'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['X{.var}', 'X.value'],
    ['www{.dom*}', 'www.example.com'],
    ['{/who,dub}', '/fred/me%2Ftoo'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;v,empty,who}', ';v=6;empty;who=fred'],
    ['{?x,y}', '?x=1024&y=768'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&keys*}', '&semi=%3B&dot=.&comma=%2C'],
  ])('%s is the URI that RFC 6570 makes of it: %s', async (template, uri) => {
    const fake = legacyServer({ 'resources/read': contents })
    await (await connected(fake)).readResource({ template, variables: RFC_VARIABLES })
    expect(paramsOf(fake.calls('resources/read')[0])).toEqual({ uri })
  })

  it('has only the variables that are given, whatever they are called', async () => {
    const fake = legacyServer({ 'resources/read': contents })
    const client = await connected(fake)
    await client.readResource({ template: 'a:{constructor}{toString}{__proto__}{hasOwnProperty}', variables: {} })
    await client.readResource({ template: 'a:{constructor}', variables: { constructor: 'b' } })
    expect(fake.calls('resources/read').map((message) => paramsOf(message).uri)).toEqual(['a:', 'a:b'])
  })

  it('is kept under the URI that it makes', async () => {
    const fake = modernServer({ 'resources/read': (ask) => ({ ...contents(ask), ttlMs: 60_000 }) })
    const client = await connected(fake)
    await client.readResource('a:1')
    await client.readResource({ template: 'a:{id}', variables: { id: 1 } })
    expect(fake.calls('resources/read')).toHaveLength(1)
  })

  it.each<[unknown]>([
    [undefined],
    [5],
    [''],
    [{}],
    [{ template: 'a:{x}' }],
    [{ template: 5, variables: {} }],
    [{ template: 'a:{x}', variables: null }],
    [{ template: 'a:{x}', variables: { x: '\ud800' } }],
  ])('that is none is a TypeError with nothing sent: %j', async (address) => {
    const fake = legacyServer({ 'resources/read': contents })
    const client = await connected(fake)
    expect(await rejection(client.readResource(address as ResourceAddress))).toBeInstanceOf(TypeError)
    expect(fake.calls('resources/read')).toEqual([])
  })
})

describe('what a resource contains', () => {
  it.each([
    [{ uri: 'a:b', text: '' }, true],
    [{ uri: 'a:b', text: 't', mimeType: 'text/plain' }, true],
    [{ uri: 'a:b', blob: 'AA==' }, false],
    [{ uri: 'a:b', text: null }, false],
    [{ type: 'text', text: 't' }, true],
    [{ type: 'resource', text: 't' }, false],
    [null, false],
  ])('is text or not: %j', (each, expected) => {
    expect(isText(each as never)).toBe(expected)
  })
})
