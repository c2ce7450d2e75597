import { InterpolationError } from './interpolation.ts'
import type { ServerTarget } from './server-definition.ts'
import type { ServerEntry } from './server-entry.ts'

/** What the fields of a server become. */
export interface Filling {
  /** Fills in one text; throws an `InterpolationError`. */
  readonly fill: (text: string) => string
  /** A variable of this process. */
  readonly process: (name: string) => string | undefined
  /** A path of the configuration, seen from its folder. */
  readonly path: (path: string) => string
  /** What the file of `envFile` holds. */
  readonly envFile: Readonly<Record<string, string>>
  /** Where a process starts unless the server says. */
  readonly cwd: string | undefined
}

/** A member of a server cannot be filled in; the message goes on after the name of the server. */
export class FieldError extends Error {
  readonly member: string

  constructor(member: string, message: string) {
    super(message)
    this.member = member
  }
}

/**
 * The server object that `connect` takes.
 * @throws FieldError for the first member that cannot be filled in.
 */
export function targetOf(entry: ServerEntry, name: string, filling: Filling): ServerTarget {
  const field = (meaning: string, text: string, place = ''): string => {
    try {
      return filling.fill(text)
    } catch (error) {
      const member = (entry.spelling.get(meaning) ?? meaning) + place
      if (error instanceof InterpolationError) throw new FieldError(member, `cannot be used: its ${member} ${error.message}`)
      throw error
    }
  }
  const fields = (meaning: string, texts: ReadonlyMap<string, string | undefined>): [string, string | undefined][] =>
    [...texts].map(([key, text]) => [key, text === undefined ? undefined : field(meaning, text, `.${key}`)])
  const options = { ...filled(entry.options, field), name }

  if (entry.command !== undefined) {
    const cwd = entry.cwd === undefined ? filling.cwd : filling.path(field('cwd', entry.cwd))
    const env = Object.fromEntries([
      ...Object.entries(filling.envFile),
      ...entry.envNames.map((key) => [key, filling.process(key)] as const).filter(([, value]) => value !== undefined),
      ...entry.secretNames.filter((key) => !entry.env.has(key)).map((key) => [key, secret(key, filling)] as const),
      ...fields('env', entry.env),
    ])
    return {
      ...options,
      command: field('command', entry.command),
      args: entry.args.map((arg, index) => field('args', arg, `[${index}]`)),
      ...(Object.keys(env).length > 0 && { env }),
      ...(cwd !== undefined && { cwd }),
    }
  }
  const bearer = entry.bearerFromEnv
  const headers = Object.fromEntries([
    ...(bearer === undefined ? [] : [['Authorization', `Bearer ${needed('the bearer token', bearer, filling)}`] as const]),
    ...[...entry.headersFromEnv].map(([key, variable]) => [key, needed(`the header ${key}`, variable, filling)] as const),
    ...fields('headers', entry.headers),
  ])
  return {
    ...options,
    url: field('url', entry.url ?? ''),
    ...(entry.type !== undefined && { type: entry.type }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

/** Options of `connect` may hold variables too, such as the password of a proxy. */
function filled(options: Readonly<Record<string, unknown>>, field: (meaning: string, text: string) => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([member, value]) => [member, typeof value === 'string' ? field(member, value) : value]),
  )
}

function needed(what: string, variable: string, { process }: Filling): string {
  const value = process(variable)
  if (value === undefined || value === '')
    throw new FieldError(variable, `takes ${what} from the variable ${variable}, which is not set: set it before you start`)
  return value
}

function secret(variable: string, { process }: Filling): string {
  const value = process(variable)
  if (value === undefined)
    throw new FieldError(variable, `has ${variable} in a store that only its host can read: set the variable ${variable} before you start`)
  return value
}

/** Every text of a server that may hold variables. */
export function textsOf(entry: ServerEntry): string[] {
  const { command, args, env, cwd, envFile, url, headers, options } = entry
  return [command, ...args, ...env.values(), cwd, envFile, url, ...headers.values(), ...Object.values(options)].filter(
    (text) => typeof text === 'string',
  )
}
