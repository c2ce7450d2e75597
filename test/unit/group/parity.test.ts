import { describe, expect, it } from 'vitest'
import { Client } from '../../../src/client.ts'
import { ClientGroup } from '../../../src/client-group.ts'

/** What a client says of its own one server; of a group, `servers` and `client(name)` say it of each. */
const OF_ONE_SERVER = ['name', 'transport', 'protocolVersion', 'capabilities', 'serverInfo', 'instructions', 'state', 'closeReason']

const members = (type: { prototype: object }): (string | symbol)[] =>
  Reflect.ownKeys(type.prototype).filter((name) => name !== 'constructor')

describe('a group', () => {
  it('has everything that a client has, but for what is said of one server', () => {
    const own = new Set(members(ClientGroup))
    expect(members(Client).filter((name) => !own.has(name) && !OF_ONE_SERVER.includes(String(name)))).toEqual([])
    expect(members(Client)).toEqual(expect.arrayContaining(OF_ONE_SERVER))
  })

  it('has it in the same way: a method is a method, what can be set can be set', () => {
    const kind = (type: { prototype: object }, name: string | symbol): string => {
      const { value, set } = Object.getOwnPropertyDescriptor(type.prototype, name) ?? {}
      return typeof value === 'function' ? 'method' : set === undefined ? 'getter' : 'setter'
    }
    const shared = members(Client).filter((name) => members(ClientGroup).includes(name))
    expect(shared.filter((name) => kind(Client, name) !== kind(ClientGroup, name))).toEqual([])
    expect(shared.length).toBeGreaterThan(15)
  })
})
