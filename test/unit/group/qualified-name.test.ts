import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { looksQualified, mayBelongTo, qualifiedName, qualifiedNames } from '../../../src/group/qualified-name.ts'

const FIT = /^[A-Za-z0-9_-]{1,64}$/

/** Names as servers have them, and as nobody should have them: with separators, marks of shortened names, other scripts, nothing, very long. */
const name = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '_', '-', '__', '--', '/', ' ', 'é', '😀', '0123456789'), maxLength: 20 }),
  fc.constantFrom('', 'read_file', 'a__b', '_', '__', 'x--abcdefghij', 'x'.repeat(64), 'x'.repeat(200)),
)

describe('a qualified name', () => {
  it.each([
    ['files', 'read_file', 'files__read_file'],
    ['a', '_b', 'a___b'],
    ['my-server', 'b__c', 'my-server__b__c'],
  ])('of %s and %s is plain: %s', (server, tool, expected) => {
    expect(qualifiedName(server, tool)).toBe(expected)
  })

  it.each([
    ['My (test) Server', 'read', /^My__test__Server__read--[0-9a-z]{10}$/],
    ['a__b', 'c', /^a__b__c--[0-9a-z]{10}$/],
    ['a_', 'b', /^a___b--[0-9a-z]{10}$/],
    ['files', 'read.file', /^files__read_file--[0-9a-z]{10}$/],
    ['files', 'x--abcdefghij', /^files__x--abcdefghij--[0-9a-z]{10}$/],
    ['', '', /^___--[0-9a-z]{10}$|^____--[0-9a-z]{10}$/],
    ['s'.repeat(70), 't'.repeat(70), /^s{20}__t{30}--[0-9a-z]{10}$/],
  ])('of %s and %s ends in a hash', (server, tool, expected) => {
    expect(qualifiedName(server, tool)).toMatch(expected)
  })

  it('is always fit for every vendor of models', () => {
    fc.assert(fc.property(name, name, (server, tool) => FIT.test(qualifiedName(server, tool))))
  })

  it('tells any two things apart, on one server or on two', () => {
    fc.assert(
      fc.property(name, name, name, name, (server, tool, otherServer, otherTool) => {
        fc.pre(server !== otherServer || tool !== otherTool)
        return qualifiedName(server, tool) !== qualifiedName(otherServer, otherTool)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps apart what only differs behind the place where it is cut', () => {
    const first = qualifiedName('server', `${'x'.repeat(70)}_read`)
    const second = qualifiedName('server', `${'x'.repeat(70)}_write`)
    expect(first).not.toBe(second)
    expect([first, second].every((each) => FIT.test(each))).toBe(true)
  })

  it('says whom to ask: its own server always, and never by splitting it', () => {
    fc.assert(fc.property(name, name, (server, tool) => mayBelongTo(server, qualifiedName(server, tool))))
    fc.assert(fc.property(name, name, (server, tool) => looksQualified(qualifiedName(server, tool))))
    expect(mayBelongTo('files', 'docs__read')).toBe(false)
  })
})

describe('the qualified names of one server', () => {
  it('are one for each name, and the same in whatever order the names come', () => {
    fc.assert(
      fc.property(name, fc.array(name), fc.nat(), (server, names, seed) => {
        const forward = qualifiedNames(server, names)
        const shuffled = [...names].sort((a, b) => ((a.length * 7 + seed) % 5) - ((b.length * 7 + seed) % 5)).reverse()
        expect(new Map([...qualifiedNames(server, shuffled)].sort())).toEqual(new Map([...forward].sort()))
        expect(new Set(forward.values()).size).toBe(new Set(names).size)
        expect([...forward.values()].every((each) => FIT.test(each))).toBe(true)
      }),
    )
  })

  it('stay apart also when hashes meet', () => {
    // Lone halves of a pair are one and the same in UTF-8.
    const names = qualifiedNames('s', ['\ud800', '\ud801', '\udfff'])
    expect(new Set(names.values()).size).toBe(3)
  })
})
