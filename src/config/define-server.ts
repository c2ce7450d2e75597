import { ConfigError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { ConfigDocument, ConfigPath } from './config-document.ts'
import { serverError } from './config-error.ts'
import type { Dialect } from './hosts/dialect.ts'
import type { Inputs } from './inputs.ts'
import { interpolator, keyOf } from './interpolation.ts'
import type { ServerDefinition, ServerOrigin, ServerTarget } from './server-definition.ts'
import { type Author, readEntry, type ServerEntry } from './server-entry.ts'
import { FieldError, targetOf, textsOf } from './server-target.ts'
import type { Surroundings } from './surroundings.ts'
import { type Reference, type Template, templateOf } from './template.ts'

/** What the servers of one configuration share. */
export interface ServerContext {
  readonly document: ConfigDocument
  readonly dialect: Dialect
  readonly scope: ServerOrigin['scope']
  readonly surroundings: Surroundings
  /** Variables are filled in. */
  readonly expand: boolean
  /** What `${workspaceFolder}` and relative paths start from. Undefined: the working folder. */
  readonly folder: string | undefined
  readonly inputs: Inputs
  /** Servers of a project's file need no agreement. */
  readonly trust: boolean
  readonly notice: (text: string) => void
}

/** One server as it stands in a configuration. */
export interface WrittenServer {
  readonly name: string
  readonly value: unknown
  readonly path: ConfigPath
}

/** Makes a definition of what stands in a configuration; what is wrong with it is its `problem`. */
export function defineServer({ name, value, path }: WrittenServer, context: ServerContext): ServerDefinition {
  const { document, dialect, scope } = context
  const origin: ServerOrigin = { dialect: dialect.name, scope, file: document.file, line: document.positionOf(path)?.line }
  const fail = (member: string, message: string) => serverError(document, [...path, ...pathOf(member)], name, message)
  if (!isObject(value)) {
    const problem = fail('', 'is no object: write { "command": … } or { "url": … }')
    return {
      name,
      origin,
      disabled: false,
      problem,
      tools: {},
      unknown: {},
      raw: value,
      needsAgreement: false,
      target: () => Promise.reject(problem),
    }
  }
  const { entry, problem: mistake, notes } = readEntry(value, dialect, authorOf(context))
  for (const note of notes) context.notice(`the server "${name}": ${note}`)
  const references = context.expand ? textsOf(entry).flatMap((text) => referencesIn(templateOf(text, dialect.syntax))) : []
  const fill = (fetched: Fetched): ServerTarget => {
    try {
      return filledIn(entry, name, context, fetched)
    } catch (error) {
      throw error instanceof FieldError ? fail(error.member, error.message) : error
    }
  }
  const problem = mistake === undefined ? refusal(() => fill(presumed(references, context))) : fail(mistake.member ?? '', mistake.message)
  const needsAgreement = scope === 'project' && !context.trust && (entry.command !== undefined || tells(entry, references))
  const written = [entry.command ?? entry.url ?? '', ...(entry.command === undefined ? [] : entry.args)].map(word).join(' ')
  const definition: Omit<ServerDefinition, 'target'> = {
    name,
    origin,
    disabled: entry.disabled,
    problem,
    ...(entry.command !== undefined ? { kind: 'stdio' } : entry.url !== undefined && { kind: 'http' }),
    written,
    agreement: agreementOf(written, entry, references, context),
    tools: { allow: entry.allow, deny: entry.deny },
    unknown: entry.unknown,
    raw: value,
    needsAgreement,
  }
  return {
    ...definition,
    target: async () => {
      if (problem !== undefined) throw problem
      if (needsAgreement) await checkAgreement(definition, context, fail)
      return fill(await fetched(entry, references, context))
    },
  }
}

/** A word that cannot be taken for several. */
function word(text: string): string {
  return text === '' || /[\s"']/.test(text) ? JSON.stringify(text) : text
}

/** All of it that decides what happens, as it is written: a harmless command is another one with other variables. */
function agreementOf(written: string, entry: ServerEntry, references: readonly Reference[], { inputs }: ServerContext): string {
  const own = [...entry.env].map(([name, value]) => (value === undefined ? name : `${name}=${word(value)}`))
  const asked = [...new Set(references.filter(({ kind }) => kind === 'input').map(({ name }) => name))]
  const suggested = asked.map((id) => `${id} is ${word(inputs.suggestion(id) ?? '')} unless somebody says otherwise`)
  return [
    written,
    ...(entry.cwd === undefined ? [] : [`in ${word(entry.cwd)}`]),
    ...(own.length === 0 ? [] : [`with ${own.join(' ')}`]),
    ...(entry.envFile === undefined ? [] : [`with the variables of ${word(entry.envFile)}`]),
    ...suggested,
  ].join(', ')
}

/** The server learns something that only this machine knows. */
function tells(entry: ServerEntry, references: readonly Reference[]): boolean {
  return (
    entry.bearerFromEnv !== undefined ||
    entry.headersFromEnv.size > 0 ||
    references.some(({ kind, name }) => kind === 'file' || (kind === 'variable' && !SEPARATORS.has(name)))
  )
}

/** Names that say nothing of this machine but its kind. */
const SEPARATORS: ReadonlySet<string> = new Set(['pathSeparator', '/'])

async function checkAgreement(
  definition: Omit<ServerDefinition, 'target'>,
  { surroundings }: ServerContext,
  fail: (member: string, message: string) => ConfigError,
): Promise<void> {
  if (await surroundings.isAgreed(definition)) return
  const does = definition.kind === 'stdio' ? 'would start' : 'would send variables of this machine to'
  throw fail(
    '',
    `is named by a project's own file and ${does}: ${peerText(definition.agreement ?? '', MAX_WRITTEN_CHARS)}; agree to it once (agreeTo, or trust: true) if you trust it`,
  )
}

/** The longest command line that is shown before somebody agrees to it; a longer one is not shown whole, and says so. */
const MAX_WRITTEN_CHARS = 4_096

function authorOf({ scope, expand }: ServerContext): Author {
  if (scope !== 'code') return 'file'
  return expand ? 'code' : 'target'
}

function refusal(attempt: () => unknown): ConfigError | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

/** What had to be fetched before a server can be filled in. */
interface Fetched {
  readonly texts: ReadonlyMap<string, string>
  readonly envFile: Readonly<Record<string, string>>
}

/** As if all that can be asked or read had come out empty: what is wrong even then is wrong now. */
function presumed(references: readonly Reference[], { inputs }: ServerContext): Fetched {
  const there = references.filter(({ kind, name }) => kind === 'file' || (kind === 'input' && inputs.canAnswer(name)))
  return { texts: new Map(there.map((reference) => [keyOf(reference), ''])), envFile: {} }
}

async function fetched(entry: ServerEntry, references: readonly Reference[], context: ServerContext): Promise<Fetched> {
  const { surroundings, inputs } = context
  const texts = new Map<string, string>()
  for (const reference of references) {
    const { kind, name } = reference
    const text = kind === 'input' ? await inputs.answer(name) : kind === 'file' ? await textOf(name, surroundings, context) : undefined
    if (text !== undefined) texts.set(keyOf(reference), text)
  }
  if (entry.envFile === undefined) return { texts, envFile: {} }
  const path = pathIn(context, fillerOf(entry, context, texts)(entry.envFile))
  return { texts, envFile: await surroundings.readVariables(path) }
}

/** What a file holds, without the line end that editors leave there. */
async function textOf(name: string, { home, readText }: Surroundings, context: ServerContext): Promise<string> {
  const path = home === undefined ? name : name.replace(/^~(?=$|[/\\])/, () => home)
  return (await readText(pathIn(context, path))).trimEnd()
}

function filledIn(entry: ServerEntry, name: string, context: ServerContext, { texts, envFile }: Fetched): ServerTarget {
  return targetOf(entry, name, {
    fill: context.expand ? fillerOf(entry, context, texts) : (text) => text,
    process: variablesOf(context.surroundings),
    path: (path) => pathIn(context, path),
    envFile,
    cwd: context.scope === 'project' ? context.folder : undefined,
  })
}

function fillerOf(entry: ServerEntry, context: ServerContext, texts: ReadonlyMap<string, string>): (text: string) => string {
  const { surroundings, dialect } = context
  return interpolator({
    process: variablesOf(surroundings),
    known: knownNames(context),
    own: new Map([...entry.env].filter((pair): pair is [string, string] => pair[1] !== undefined)),
    fetched: texts,
    home: surroundings.home,
    syntax: dialect.syntax ?? [],
  })
}

/** What editors fill in besides variables. */
function knownNames({ surroundings, folder }: ServerContext): ReadonlyMap<string, string> {
  const { home, cwd, platform } = surroundings
  const workspace = folder ?? cwd
  const separator = platform === 'win32' ? '\\' : '/'
  const names: readonly (readonly [string, string | undefined])[] = [
    ['workspaceFolder', workspace],
    ['workspaceRoot', workspace],
    ['workspaceFolderBasename', workspace?.split(/[/\\]/).at(-1)],
    ['userHome', home],
    ['cwd', cwd],
    ['pathSeparator', separator],
    ['/', separator],
  ]
  return new Map(names.filter((pair): pair is readonly [string, string] => pair[1] !== undefined))
}

/** Windows knows its variables in any case. */
function variablesOf({ env, platform }: Surroundings): (name: string) => string | undefined {
  if (platform !== 'win32') return (name) => (Object.hasOwn(env, name) ? env[name] : undefined)
  const byName = new Map(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]))
  return (name) => byName.get(name.toUpperCase())
}

function pathIn({ surroundings, folder }: ServerContext, path: string): string {
  return surroundings.resolve(folder ?? surroundings.cwd ?? '', path)
}

function referencesIn(template: Template): Reference[] {
  return template.flatMap((part) => (typeof part === 'string' ? [] : [part, ...referencesIn(part.fallback ?? [])]))
}

/** The way to a member that is written `env.NAME` or `args[1]`. */
function pathOf(member: string): ConfigPath {
  const [, first = '', key, index] = /^([^.[]*)(?:\.(.+)|\[(\d+)\])?$/s.exec(member) ?? []
  return [first, ...(key === undefined ? [] : [key]), ...(index === undefined ? [] : [Number(index)])].filter((part) => part !== '')
}
