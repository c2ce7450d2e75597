import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ConnectionError, ResponseTooLargeError } from '../../../src/errors.ts'
import type { JSONRPCNotification, JSONRPCRequest } from '../../../src/jsonrpc/message.ts'
import { DEFAULT_LIMITS } from '../../../src/limits.ts'
import { type StdioOptions, stdioTransport } from '../../../src/transport/stdio/stdio.ts'
import type { Connection } from '../../../src/transport/transport.ts'
import { alive, child } from '../../support/child-servers.ts'
import { rejection, until } from '../../support/settled.ts'

interface Opened {
  readonly connection: Connection
  readonly inbound: (JSONRPCRequest | JSONRPCNotification)[]
  readonly problems: string[]
  ask(method: string, params?: Record<string, unknown>): Promise<unknown>
}

const folders: string[] = []
/** A folder of its own, gone with the test. */
function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const open: Connection[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()))
})

let lastId = 0

async function start(script: string, options: Partial<StdioOptions> = {}, limits = {}): Promise<Opened> {
  const [command = '', ...args] = child(script)
  return launch({ command, args, shutdownGraceMs: 100, ...options }, limits)
}

async function launch(options: StdioOptions, limits = {}): Promise<Opened> {
  const inbound: (JSONRPCRequest | JSONRPCNotification)[] = []
  const problems: string[] = []
  const connection = await stdioTransport(options).open((message) => inbound.push(message), {
    limits: { ...DEFAULT_LIMITS, ...limits },
    report: (problem) => problems.push(problem),
  })
  open.push(connection)
  return {
    connection,
    inbound,
    problems,
    async ask(method, params) {
      const answer = await connection.exchange({ jsonrpc: '2.0', id: ++lastId, method, ...(params && { params }) })
      if ('error' in answer) throw new Error(`error ${answer.error.code}`)
      return answer.result
    },
  }
}

const ECHO = `on('echo', (message) => message.params ?? {}); on('pid', () => ({ pid: process.pid })); on('env', () => process.env);`

describe('a server process', () => {
  it('is spoken with by lines, with text of every kind both ways', async () => {
    const { ask } = await start(ECHO)
    const text = 'line\nbreak \u2028 "quotes" ä € 𝄞 \u0000 🙂'
    expect(await ask('echo', { text })).toEqual({ text })
    expect(await ask('echo', { big: 'é'.repeat(400_000) })).toEqual({ big: 'é'.repeat(400_000) })
  })

  it('answers many calls at once, each its own', async () => {
    const { ask } = await start(ECHO)
    const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => ask('echo', { i })))
    expect(answers).toEqual(Array.from({ length: 500 }, (_, i) => ({ i })))
  })

  it('is told of a message that is posted in the very moment of closing', async () => {
    const folder = scratch()
    const file = join(folder, 'seen')
    const { connection, ask } = await start(
      `${ECHO} onMessage = (m) => { if (m.method === 'bye') require('fs').writeFileSync(${JSON.stringify(file)}, 'yes') }`,
      {
        shutdownGraceMs: 1_000,
      },
    )
    await ask('echo')
    void connection.post({ jsonrpc: '2.0', method: 'bye' })
    await connection.close()
    const { readFileSync } = await import('node:fs')
    expect(readFileSync(file, 'utf8')).toBe('yes')
  })

  it.each([
    ['lines that are no JSON', `raw('Server v1.2 ready\\n<html>\\n')`, 2],
    ['log text and an answer on one line', `raw('[50] adding {"jsonrpc":"2.0","id":99999,"result":{}}\\n')`, 1],
    ['empty lines and blanks', `raw('\\n\\r\\n   \\n')`, 0],
    ['JSON that is no JSON-RPC', `raw('42\\n"text"\\nnull\\ntrue\\n{}\\n{"jsonrpc":"2.0"}\\n{"id":1}\\n')`, 7],
    ['an answer to nobody, twice', `raw('{"jsonrpc":"2.0","id":4711,"result":{}}\\n{"jsonrpc":"2.0","id":4711,"result":{}}\\n')`, 2],
    ['an error without an id', `raw('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}\\n')`, 1],
    ['an id of another JSON type', `raw('{"jsonrpc":"2.0","id":{},"result":{}}\\n{"jsonrpc":"2.0","id":true,"result":{}}\\n')`, 2],
    ['arrays nested without end', `raw('['.repeat(200000) + ']'.repeat(200000) + '\\n')`, 1],
    ['objects nested without end', `raw('{"a":'.repeat(200000) + '1' + '}'.repeat(200000) + '\\n')`, 1],
    ['broken UTF-8', `process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]))`, 1],
  ])('may write %s: each is reported, and the next call is answered', async (_what, script, reports) => {
    const { ask, problems, inbound } = await start(`${ECHO}; ${script}`)
    expect(await ask('echo', { a: 1 })).toEqual({ a: 1 })
    expect(problems).toHaveLength(reports)
    expect(inbound).toEqual([])
    for (const problem of problems) expect(problem.length).toBeLessThan(5_000)
  })

  it('may begin its output with a byte order mark', async () => {
    const { ask } = await start(`process.stdout.write('\\ufeff'); ${ECHO}`)
    expect(await ask('echo', { a: 1 })).toEqual({ a: 1 })
  })

  it('may end its lines with CRLF, split between CR and LF', async () => {
    const { ask } = await start(`
      on('slowly', (message) => {
        process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { ok: 1 } }) + '\\r');
        setTimeout(() => process.stdout.write('\\n'), 20);
      })`)
    expect(await ask('slowly')).toEqual({ ok: 1 })
  })

  it('may send a batch, which is taken apart in order', async () => {
    const { ask, inbound } = await start(`
      on('batch', (message) => raw(JSON.stringify([
        { jsonrpc: '2.0', method: 'first' }, 5, { jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: message.id, result: { ok: 1 } },
      ]) + '\\n'))`)
    expect(await ask('batch')).toEqual({ ok: 1 })
    expect(inbound.map((message) => message.method)).toEqual(['first', 'ping'])
  })

  it.each([
    ['a line too long with the id first', `'{"jsonrpc":"2.0","id":' + m.id + ',"result":{"x":"' + 'x'.repeat(5000) + '"}}\\n'`],
    ['a line too long with the id last', `'{"jsonrpc":"2.0","result":{"x":"' + 'x'.repeat(5000) + '"},"id":' + m.id + '}\\n'`],
    [
      'a line that is too long for more than a chunk',
      `'{"jsonrpc":"2.0","id":' + m.id + ',"result":{"x":"' + 'x'.repeat(700000) + '"}}\\n'`,
    ],
  ])('fails only the call that is answered by %s', async (_what, line) => {
    const { ask } = await start(`${ECHO} on('big', (m) => raw(${line}))`, {}, { maxMessageBytes: 4_000 })
    const [error, other] = await Promise.all([rejection(ask('big')), ask('echo', { a: 1 })])
    expect(error).toBeInstanceOf(ResponseTooLargeError)
    expect(error).toMatchObject({ code: 'ERR_MCP_TOO_LARGE', limit: 'maxMessageBytes', max: 4_000, outcome: 'unknown' })
    expect(other).toEqual({ a: 1 })
    expect(await ask('echo', { b: 1 })).toEqual({ b: 1 })
  })

  it('may write a line without end: nothing is kept of it and calls go on when it ends', async () => {
    const { ask, problems } = await start(
      `${ECHO} on('endless', () => { for (let i = 0; i < 200; i++) raw('x'.repeat(65536)); raw('\\n'); return {} })`,
      {},
      { maxMessageBytes: 100_000 },
    )
    await ask('endless')
    expect(await ask('echo', { a: 1 })).toEqual({ a: 1 })
    expect(problems).toEqual([expect.stringContaining('maxMessageBytes (100000)')])
  })
})

describe('the environment of a server process', () => {
  it('holds the safe variables and those given, and nothing else of ours', async () => {
    process.env.SWITCHBOARD_TEST_SECRET = 'hidden'
    try {
      const { ask } = await start(ECHO, { env: { GIVEN: 'yes', HOME: undefined, LANG: 'de_DE' } })
      const env = (await ask('env')) as Record<string, string>
      expect(env.SWITCHBOARD_TEST_SECRET).toBeUndefined()
      expect(env.PATH).toBe(process.env.PATH)
      expect(env.GIVEN).toBe('yes')
      expect(env.LANG).toBe('de_DE')
      expect('HOME' in env).toBe(false)
    } finally {
      delete process.env.SWITCHBOARD_TEST_SECRET
    }
  })

  it('is the whole of ours with inheritEnv, without what is undefined', async () => {
    process.env.SWITCHBOARD_TEST_A = 'a'
    process.env.SWITCHBOARD_TEST_B = 'b'
    try {
      const { ask } = await start(ECHO, { inheritEnv: true, env: { SWITCHBOARD_TEST_B: undefined } })
      const env = (await ask('env')) as Record<string, string>
      expect(env.SWITCHBOARD_TEST_A).toBe('a')
      expect('SWITCHBOARD_TEST_B' in env).toBe(false)
    } finally {
      delete process.env.SWITCHBOARD_TEST_A
      delete process.env.SWITCHBOARD_TEST_B
    }
  })

  it('starts in the folder that is given', async () => {
    const cwd = realpathSync(scratch())
    const { ask } = await start(`on('cwd', () => ({ cwd: process.cwd() }))`, { cwd })
    expect(await ask('cwd')).toEqual({ cwd })
  })
})

describe('a program that cannot be started', () => {
  async function failure(options: StdioOptions): Promise<ConnectionError> {
    const error = await rejection(launch(options))
    expect(error).toBeInstanceOf(ConnectionError)
    return error as ConnectionError
  }

  it('is named, with the PATH that was searched', async () => {
    const error = await failure({ command: 'no-such-command-here', env: { PATH: '/nowhere:/else' } })
    expect(error.message).toContain('"no-such-command-here"')
    expect(error.message).toContain('PATH=/nowhere:/else')
    expect(error).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'not-run', reason: { kind: 'spawn', errno: 'ENOENT' } })
  })

  it('says that no PATH is set', async () => {
    expect((await failure({ command: 'no-such-command-here', env: { PATH: undefined } })).message).toContain('not set')
  })

  it('says that the folder is missing, not the command', async () => {
    const error = await failure({ command: process.execPath, cwd: '/no/such/folder' })
    expect(error.message).toContain('/no/such/folder does not exist')
    expect(error.reason.kind).toBe('spawn')
  })

  it('says that it may not be run', async () => {
    const file = join(scratch(), 'server')
    writeFileSync(file, 'x', { mode: 0o644 })
    expect(await failure({ command: file })).toMatchObject({ outcome: 'not-run', reason: { kind: 'spawn', errno: 'EACCES' } })
  })

  it.each([
    ['a NUL in an argument', { command: process.execPath, args: ['a\0b'] }],
    ['no command', { command: '' }],
  ])('is refused: %s', async (_what, options) => {
    expect(await failure(options)).toMatchObject({ outcome: 'not-run', reason: { kind: 'spawn' } })
  })
})

describe('a server process that ends', () => {
  it.each([
    ['with a code', 'process.exit(7)', { exitCode: 7, signal: undefined }],
    ['with code 0', 'process.exit(0)', { exitCode: 0, signal: undefined }],
    ['by a signal', `process.kill(process.pid, 'SIGKILL')`, { exitCode: undefined, signal: 'SIGKILL' }],
  ])('rejects the call at once: %s, and its last words', { retry: 2 }, async (_how, how, expected) => {
    const { ask, connection } = await start(
      `on('die', () => { for (let i = 0; i < 20; i++) console.error('trouble ' + i); process.stderr.write('the end', () => { ${how} }) }); ${ECHO}`,
    )
    await ask('echo')
    const started = performance.now()
    const error = await rejection(ask('die'))
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(error).toBeInstanceOf(ConnectionError)
    const { reason, outcome, message } = error as ConnectionError
    expect(outcome).toBe('unknown')
    expect(reason).toMatchObject({ kind: 'exit' })
    expect(reason.exitCode).toBe(expected.exitCode)
    expect(reason.signal).toBe(expected.signal)
    expect(reason.stderr).toMatch(/trouble 0\n[\s\S]*the end$/)
    expect(message).toContain('the end')
    expect(message).not.toContain('trouble 0')
    expect((await connection.closed).kind).toBe('exit')
    expect(await rejection(ask('echo'))).toMatchObject({ outcome: 'not-run', reason: { kind: 'exit' } })
  })

  it('is still heard: what it wrote before its end arrives', async () => {
    const { ask } = await start(
      `on('last', (m) => { send({ jsonrpc: '2.0', id: m.id, result: { ok: 1 } }); process.exitCode = 1; process.stdin.destroy() })`,
    )
    expect(await ask('last')).toEqual({ ok: 1 })
  })

  it('is heard without a line break at the end', async () => {
    const { ask } = await start(
      `on('last', (m) => { raw(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: { ok: 1 } })); process.stdin.destroy() })`,
    )
    expect(await ask('last')).toEqual({ ok: 1 })
  })

  it('rejects calls although a grandchild holds the pipe open', { retry: 2 }, async () => {
    const { ask } = await start(`on('die', () => {
      require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: ['ignore', 1, 2] });
      setTimeout(() => process.exit(3), 50) }); ${ECHO}`)
    await ask('echo')
    const started = performance.now()
    expect(await rejection(ask('die'))).toMatchObject({ reason: { kind: 'exit', exitCode: 3 } })
    expect(performance.now() - started).toBeLessThan(1_500)
  })

  it('rejects calls when it closes its stdout and lives on', async () => {
    const { ask } = await start(`on('shut', () => { process.stdout.end(); require('fs').closeSync(1); setInterval(() => {}, 1000) })`)
    const error = await rejection(ask('shut'))
    expect(error).toMatchObject({ outcome: 'unknown', reason: { kind: 'exit' } })
    expect((error as Error).message).toContain('closed its stdout')
  })

  it('rejects a call that cannot reach it because it closed its stdin, and says so', async () => {
    const { ask, connection } = await start(
      `on('deaf', () => { process.stdin.destroy(); require('fs').closeSync(0); setInterval(() => {}, 1000); return {} })`,
    )
    await ask('deaf')
    // What a pipe buffers may still be taken; sooner or later it breaks, and then no call may wait.
    const errors: unknown[] = []
    for (let i = 0; i < 50 && errors.length === 0; i++) {
      const call = ask('echo')
      const error = await Promise.race([rejection(call), new Promise((resolve) => setTimeout(resolve, 20))])
      if (error !== undefined) errors.push(error)
      else call.catch((late: unknown) => errors.push(late))
    }
    expect(errors[0]).toMatchObject({ code: 'ERR_MCP_CONNECTION', reason: { kind: 'stream' } })
    expect(await connection.lost).toMatchObject({ kind: 'stream' })
    expect(await rejection(ask('echo'))).toMatchObject({ outcome: 'not-run' })
  })
})

describe('closing a server process', () => {
  const grandchild = (grandchildScript: string): string =>
    `const kid = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchildScript)}], { stdio: ['ignore', 'pipe', 'ignore'] });
     const ready = new Promise((resolve) => kid.stdout.once('data', resolve));
     on('kid', (m) => { ready.then(() => send({ jsonrpc: '2.0', id: m.id, result: { pid: kid.pid } })) })`
  const STUBBORN = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`

  it('costs no wait when the process ends with its stdin', { retry: 2 }, async () => {
    const { connection, ask } = await start(ECHO, { shutdownGraceMs: 5_000 })
    const { pid } = (await ask('pid')) as { pid: number }
    const started = performance.now()
    await connection.close()
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(alive(pid)).toBe(false)
    expect(await connection.closed).toMatchObject({ kind: 'closed' })
  })

  it('ends a process that only SIGTERM ends', async () => {
    const { connection, ask } = await start(`${ECHO} setInterval(() => {}, 1000)`)
    const { pid } = (await ask('pid')) as { pid: number }
    await connection.close()
    expect(alive(pid)).toBe(false)
  })

  it('ends a process that ignores the end of stdin and SIGTERM', { retry: 2 }, async () => {
    const { connection, ask } = await start(`${ECHO} ${STUBBORN}`)
    const { pid } = (await ask('pid')) as { pid: number }
    const started = performance.now()
    await connection.close()
    expect(performance.now() - started).toBeGreaterThan(180)
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(alive(pid)).toBe(false)
  })

  it.each([
    ['a grandchild', `setInterval(() => {}, 1000); console.log('up')`],
    ['a stubborn grandchild', STUBBORN],
  ])('ends %s too', async (_what, script) => {
    const { connection, ask } = await start(`${ECHO} ${grandchild(script)}`)
    const { pid } = (await ask('pid')) as { pid: number }
    const kid = (await ask('kid')) as { pid: number }
    expect(alive(kid.pid)).toBe(true)
    await connection.close()
    expect(alive(pid)).toBe(false)
    await until(() => !alive(kid.pid), 'the end of the grandchild', 1_000)
  })

  it('ends what a dead process left behind', async () => {
    const { ask } = await start(`${grandchild(STUBBORN)}; on('die', () => process.exit(1))`)
    const kid = (await ask('kid')) as { pid: number }
    await rejection(ask('die'))
    await until(() => !alive(kid.pid), 'the end of the grandchild', 3_000)
  })

  it('happens once, however often it is asked for', async () => {
    const { connection, ask } = await start(ECHO)
    await ask('echo')
    const first = connection.close()
    await Promise.all([first, connection.close(), connection.close()])
    await connection.close()
  })

  it('rejects calls in flight, and takes no new ones from its first moment', async () => {
    const { connection, ask } = await start(`on('never', () => undefined); ${STUBBORN}`)
    const running = rejection(ask('never'))
    const closing = connection.close()
    expect(await rejection(ask('echo'))).toMatchObject({ outcome: 'not-run', reason: { kind: 'closed' } })
    await closing
    expect(await running).toMatchObject({ code: 'ERR_MCP_CONNECTION', outcome: 'unknown', reason: { kind: 'closed' } })
  })

  it('leaves no exit hook behind', async () => {
    const before = process.listenerCount('exit')
    const { connection } = await start(ECHO)
    expect(process.listenerCount('exit')).toBe(before + 1)
    const second = await start(ECHO)
    expect(process.listenerCount('exit')).toBe(before + 1)
    await Promise.all([connection.close(), second.connection.close()])
    expect(process.listenerCount('exit')).toBe(before)
  })
})

describe('stderr of a server process', () => {
  it('comes line by line, and a listener that throws disturbs nobody', async () => {
    const lines: string[] = []
    const { ask, problems } = await start(`${ECHO} process.stderr.write('one\\r\\ntw'); process.stderr.write('o\\nthree ä\\n')`, {
      stderr: (line) => {
        lines.push(line)
        if (line === 'two') throw new Error('the listener failed')
      },
    })
    expect(await ask('echo', { a: 1 })).toEqual({ a: 1 })
    await until(() => lines.length === 3)
    expect(lines).toEqual(['one', 'two', 'three ä'])
    expect(problems).toEqual([expect.stringContaining('the listener failed')])
  })

  it('never blocks the process: 10 MB are drained during a call', async () => {
    const { ask } = await start(
      `on('loud', () => { for (let i = 0; i < 160; i++) require('fs').writeSync(2, 'x'.repeat(65536)); return { ok: 1 } })`,
    )
    expect(await ask('loud')).toEqual({ ok: 1 })
  })

  it('is kept to its newest bytes', async () => {
    const { ask } = await start(
      `on('die', () => { for (let i = 0; i < 50; i++) require('fs').writeSync(2, 'x'.repeat(10000)); require('fs').writeSync(2, 'THE END'); process.exit(1) })`,
      {},
      { maxStderrBytes: 1_000 },
    )
    const error = (await rejection(ask('die'))) as ConnectionError
    expect(error.reason.stderr?.length).toBe(1_000)
    expect(error.reason.stderr?.endsWith('THE END')).toBe(true)
    expect(error.message.length).toBeLessThan(1_000)
  })
})

describe('the identity of a server process', () => {
  const identity = (options: Omit<StdioOptions, 'command'>): unknown => stdioTransport({ command: 'x', ...options }).identity

  it('differs by arguments, folder and environment, not by what does not change the server', () => {
    const base = identity({ args: ['a'] })
    expect(identity({ args: ['a'] })).toBe(base)
    expect(identity({ args: ['a'], shutdownGraceMs: 5, stderr: () => {} })).toBe(base)
    expect(identity({ args: ['b'] })).not.toBe(base)
    expect(identity({ args: ['a'], env: { A: '1' } })).not.toBe(base)
    expect(identity({ args: ['a'], cwd: '/' })).not.toBe(base)
  })
})
