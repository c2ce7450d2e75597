import { describe, expect, it } from 'vitest'
import { MEANINGS } from '../../../src/config/members.ts'
import type { ConnectOptions } from '../../../src/connect-options.ts'

/** Every option of `connect`; the compiler tells when one is missing here. */
const OPTIONS: Readonly<Record<keyof ConnectOptions, 'data' | 'code' | 'server'>> = {
  clientInfo: 'code',
  compression: 'data',
  connectTimeoutMs: 'data',
  cwd: 'server',
  endpoint: 'data',
  env: 'server',
  era: 'data',
  extensions: 'data',
  fetch: 'code',
  handlerTimeoutMs: 'data',
  handlers: 'code',
  headers: 'server',
  inheritEnv: 'data',
  interceptors: 'code',
  keepAliveMs: 'data',
  lazy: 'data',
  limits: 'data',
  logger: 'code',
  maxTotalTimeoutMs: 'data',
  name: 'server',
  principal: 'code',
  probeTimeoutMs: 'data',
  proxy: 'data',
  resend: 'data',
  resetTimeoutOnProgress: 'data',
  restart: 'data',
  retries: 'data',
  retryBackoffMs: 'data',
  roots: 'code',
  shutdownGraceMs: 'data',
  signal: 'code',
  signer: 'code',
  stderr: 'code',
  throwOnToolError: 'data',
  timeoutMs: 'data',
  tls: 'code',
  transport: 'data',
  validate: 'data',
  validateArguments: 'data',
  watchdog: 'data',
}

describe('the members of a server', () => {
  it.each(Object.entries(OPTIONS))('%s is an option of connect that a configuration can have: %s', (option, kind) => {
    const meaning = { data: 'option', code: 'codeOption', server: option }[kind]
    expect(MEANINGS.get(option)).toBe(meaning)
  })
})
