import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitsOf } from '../../../src/limits.ts'
import { stdioTransport } from '../../../src/transport/stdio/stdio.ts'

/** What a command becomes on Windows, as far as it can be seen elsewhere. */
describe('a command on Windows', () => {
  const { platform } = process
  let folder = ''
  beforeAll(() => {
    Object.defineProperty(process, 'platform', { value: 'win32' })
    folder = mkdtempSync(join(tmpdir(), 'commands-'))
    writeFileSync(join(folder, 'npx.CMD'), '', { mode: 0o755 })
  })
  afterAll(() => {
    Object.defineProperty(process, 'platform', { value: platform })
    rmSync(folder, { recursive: true })
  })

  it('that is a command file is found by PATHEXT and run with every argument quoted, by no shell of its own', () => {
    const parse: (command: string, args: string[], options: object) => { command: string; args: string[]; options: object } = createRequire(
      import.meta.url,
    )('cross-spawn')._parse
    const { command, args, options } = parse('npx', ['-y', 'a & b', '"c"'], { env: { PATH: folder, PATHEXT: '.EXE;.CMD' } })
    expect(command).toMatch(/cmd(\.exe)?$/i)
    expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c'])
    expect(args[3]).toContain('npx')
    expect(args[3]).not.toMatch(/[^^]& b/)
    expect(options).toMatchObject({ windowsVerbatimArguments: true })
    expect(options).not.toHaveProperty('shell')
  })

  it.each(['a\nb', 'a\rb'])('takes no line break in an argument, which would end the command there: %j', async (argument) => {
    const opening = stdioTransport({ command: 'npx', args: ['-y', argument] }).open(() => {}, { limits: limitsOf({}) })
    await expect(opening).rejects.toMatchObject({
      outcome: 'not-run',
      message: expect.stringContaining('line break'),
      reason: { kind: 'spawn' },
    })
  })
})
