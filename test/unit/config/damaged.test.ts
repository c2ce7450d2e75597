import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { setInJson } from '../../../src/config/files/edit-json.ts'
import { setInToml } from '../../../src/config/files/edit-toml.ts'
import { setInYaml } from '../../../src/config/files/edit-yaml.ts'
import { parseJson } from '../../../src/config/files/parse-json.ts'
import { parseToml } from '../../../src/config/files/parse-toml.ts'
import { parseYaml } from '../../../src/config/files/parse-yaml.ts'
import { writtenServers } from '../../../src/config/written-servers.ts'
import { ConfigError } from '../../../src/errors.ts'
import { isObject } from '../../../src/jsonrpc/codec.ts'

const fixture = (name: string): string => readFileSync(new URL(`./hosts/${name}`, import.meta.url), 'utf8')

const FORMATS = [
  ['JSON', fixture('zed.settings.json'), parseJson, setInJson, ['context_servers']],
  ['TOML', fixture('codex.config.toml'), parseToml, setInToml, ['mcp_servers']],
  ['YAML', fixture('goose.config.yaml'), parseYaml, setInYaml, ['extensions']],
] as const

describe.each(FORMATS)('damaged %s', (_, good, parse, setAt, root) => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ':',
    '=',
    '\n',
    '#',
    '//',
    '&a',
    '*a',
    '- ',
    '\t',
    '\u0000',
    '\ud800',
    '__proto__',
    '"""',
    '|',
    '>',
  )
  const damaged = fc
    .tuple(fc.nat(good.length), fc.nat(40), fc.array(pieces, { maxLength: 4 }))
    .map(([at, cut, put]) => good.slice(0, at) + put.join('') + good.slice(at + cut))

  it('is read, or told with its file, and nothing else', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const read = attempt(() => parse(text, 'f'))
        if (read === undefined) return
        attempt(() => {
          for (const { path } of writtenServers(read).servers) {
            const line = read.positionOf(path)?.line ?? 1
            expect(line).toBeGreaterThan(0)
            expect(line).toBeLessThanOrEqual(text.split('\n').length)
          }
        })
      }),
      { numRuns: 300 },
    )
  })

  it('that can be read is changed, or stays, without an exception', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const read = attempt(() => parse(text, 'f'))
        const servers = isObject(read?.value) ? read.value[root[0]] : undefined
        if (!isObject(servers)) return
        expect(setAt(text, [...root, 'new'], { command: 'x' }).length).toBeGreaterThanOrEqual(text.length)
        if ('off' in servers) expect(setAt(text, [...root, 'off'], undefined)).toEqual(expect.any(String))
      }),
      { numRuns: 150 },
    )
  })
})

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return undefined
  }
}
