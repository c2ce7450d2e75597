import { Client } from './client.ts'
import { kindNamed } from './config/http-candidates.ts'
import { type ReadTarget, readTarget, type Target } from './config/target.ts'
import { type ConnectOptions, checkOptions, type ServerObject } from './connect-options.ts'
import { VerdictCache } from './era/verdict-cache.ts'
import { allowedBy } from './era/versions.ts'
import { deprecated } from './features/deprecated.ts'
import { elicitationHandler } from './features/elicitation.ts'
import { Extensions } from './features/extensions.ts'
import { PagesAsked } from './features/pages-asked.ts'
import { samplingHandler } from './features/sampling.ts'
import { limitsOf } from './limits.ts'
import { TASKS_EXTENSION } from './protocol/extension-ids.ts'
import { boundedLogger } from './session/bounded-logger.ts'
import type { MessageListener } from './session/interceptor.ts'
import { type Logger, SILENT, STDERR } from './session/logger.ts'
import { Session } from './session/session.ts'
import type { HttpKind } from './transport/http/http-kinds.ts'
import { memoryTransport } from './transport/memory.ts'
import type { Transport } from './transport/transport.ts'
import { VERSION } from './version.ts'

/** Who we are when the caller does not say otherwise. */
const OURSELVES = { name: 'mcp-switchboard', version: VERSION }

/** What is remembered of servers, for all clients of this process. */
const verdicts = new VerdictCache()

/**
 * Reaches a server and resolves when the protocol revision is agreed; with `lazy`, at once.
 * @param target A URL, a command line such as `npx -y some-server`, `['node', 'server.js']`, a server object, a transport, or a server in
 *   this process.
 * @throws TypeError for a target or an option that cannot be; `ConnectionError`, `HttpError`, `TimeoutError`, `ProtocolError` or
 *   `AuthorizationError` when the server cannot be reached or spoken with.
 */
export async function connect(target: Target | ServerObject, options: ConnectOptions = {}): Promise<Client> {
  const read = readTarget(target)
  const given: ConnectOptions = { ...read.options, ...options }
  checkOptions({ ...given }, read.kind)
  const allowed = allowedBy(given.era ?? 'auto')
  const transports = await transportsFor(read, given)
  const limits = limitsOf(given.limits)
  const extensions = given.extensions === undefined ? Extensions.NONE : new Extensions(given.extensions)
  const logger = given.logger === false ? SILENT : boundedLogger(given.logger ?? STDERR)
  const name = given.name ?? transports[0].label
  const interceptors = given.interceptors ?? []
  const listeners = interceptors.filter((each) => 'onMessage' in each)
  // Who listens to nothing has nothing in the way.
  const reaching = listeners.length === 0 ? transports : await observedAll(transports, listeners, name, logger)
  const session = new Session(
    {
      name,
      clientInfo: given.clientInfo ?? OURSELVES,
      allowed,
      verdicts,
      restart: given.restart ?? false,
      retries: given.retries ?? (read.kind === 'http' ? 3 : 0),
      retryBackoffMs: given.retryBackoffMs ?? 500,
      timeoutMs: given.timeoutMs ?? 60_000,
      resetTimeoutOnProgress: given.resetTimeoutOnProgress ?? false,
      maxTotalTimeoutMs: given.maxTotalTimeoutMs ?? Number.POSITIVE_INFINITY,
      handlerTimeoutMs: given.handlerTimeoutMs ?? 600_000,
      keepAliveMs: given.keepAliveMs,
      connectTimeoutMs: given.connectTimeoutMs ?? 60_000,
      probeTimeoutMs: given.probeTimeoutMs ?? 3_000,
      limits,
      logger,
      interceptors: interceptors.filter((each) => typeof each === 'function'),
      extended: extensions,
    },
    reaching,
  )
  const pages = new PagesAsked()
  const { sampling, elicitation } = given.handlers ?? {}
  if (sampling !== undefined) {
    deprecated('sampling', logger)
    session.inbound.register(samplingHandler(sampling))
  }
  if (elicitation !== undefined) session.inbound.register(elicitationHandler(elicitation, logger, limits, pages))
  if (extensions.has(TASKS_EXTENSION)) (await import('./features/tasks/received-tasks.ts')).ReceivedTasks.serve(session.inbound)
  const client = new Client(session, {
    limits,
    logger,
    roots: given.roots,
    extensions,
    pages,
    principal: given.principal,
    maxTotalTimeoutMs: given.maxTotalTimeoutMs ?? Number.POSITIVE_INFINITY,
    validate: given.validate ?? 'warn',
    validateArguments: given.validateArguments ?? 'required',
    throwOnToolError: given.throwOnToolError ?? false,
    resend: given.resend ?? 'never',
  })
  if (given.lazy) session.declare()
  else await session.connect(given.signal)
  return client
}

async function observedAll(
  transports: readonly Transport[],
  listeners: readonly MessageListener[],
  server: string,
  logger: Logger,
): Promise<readonly Transport[]> {
  const { observed } = await import('./session/observed-transport.ts')
  return transports.map((transport) => observed(transport, listeners, server, logger))
}

/** What may reach the server, in this order. What needs a process or Node's own HTTP is loaded only when a target asks for it. */
async function transportsFor(read: ReadTarget, options: ConnectOptions): Promise<readonly [Transport, ...Transport[]]> {
  const wanted = options.transport ?? 'auto'
  const fits = wanted === 'auto' || (wanted === 'stdio' ? read.kind === 'stdio' : read.kind === 'http')
  if (!fits) throw new TypeError(`transport: '${wanted}' does not fit this target, which is reached by ${read.kind}`)
  if (read.kind === 'transport') return [read.transport]
  if (read.kind === 'memory') return [memoryTransport(read.server)]
  if (read.kind === 'stdio') {
    const { stdioTransport } = await import('#stdio')
    return [stdioTransport({ ...options, command: read.command, args: read.args })]
  }
  const { httpTransport } = await import('#http')
  const { url } = read
  const named = kindNamed(wanted)
  const { pathname, search } = new URL(url)
  if (named === 'http' && options.endpoint === undefined && pathname === '/') {
    return [httpTransport({ ...options, url, endpoint: `/rpc${search}` }, named)]
  }
  const [first, ...others] = named === undefined ? read.candidates : [named]
  const reaching = (kind: HttpKind): Transport => httpTransport({ ...options, url }, kind)
  return [reaching(first), ...others.map(reaching)]
}
