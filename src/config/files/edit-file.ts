import { readFile, realpath, stat } from 'node:fs/promises'
import { ConfigError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/codec.ts'
import type { ConfigDocument, ConfigPath } from '../config-document.ts'
import { documentError } from '../config-error.ts'
import type { ServerChange } from '../edit-servers.ts'
import { type Dialect, SHARED } from '../hosts/dialect.ts'
import { SHAPES } from '../hosts/dialects.ts'
import { hostOf } from './host-files.ts'
import { locate, readDocument } from './read-config-file.ts'
import { codeOf, decoded } from './read-text.ts'
import type { SetAt } from './set-at.ts'
import { sorted } from './sorted-json.ts'
import { surroundings } from './surroundings.ts'
import { writeWhole } from './write-whole.ts'

/** Makes one change in a configuration file. */
export async function editServers(source: string | URL, change: ServerChange): Promise<void> {
  const around = surroundings(undefined)
  const file = await existing(locate(source, around))
  const dialect = hostOf(file.path, around)?.dialect
  const document = file.bytes === undefined ? empty(file.path) : await readDocument(file.path)
  const { path, value } = placeOf(change, document, dialect)
  const before = file.bytes === undefined ? '' : decoded(file.bytes)
  const setAt = await editorFor(file.path)
  const text = attempt(setAt, before, path, value)
  if (text === undefined || !(await reads(file.path, text, withValue(document.value, path, value)))) {
    throw documentError(document, path, `the change cannot be made without touching more of this file: make it by hand`)
  }
  if (file.bytes !== undefined && !(await readFile(file.path)).equals(file.bytes)) {
    throw new ConfigError(`${file.path}: somebody else changed it meanwhile: try again`, { file: file.path })
  }
  // A byte order mark stays where it was.
  const mark = file.bytes?.[0] === 0xef ? '\ufeff' : ''
  await writeWhole(file.path, mark + text, file.mode)
}

/** Libraries throw where the shape of a file does not allow a change. */
function attempt(setAt: SetAt, ...change: Parameters<SetAt>): string | undefined {
  try {
    return setAt(...change)
  } catch {
    return undefined
  }
}

/** The text is what the file has to become: this value and no other. */
async function reads(file: string, text: string, wanted: unknown): Promise<boolean> {
  const read = await readDocument(file, text).catch(() => undefined)
  return read !== undefined && sorted(read.value) === sorted(wanted)
}

interface EditedFile {
  /** Behind symbolic links, which stay. */
  readonly path: string
  readonly bytes: Buffer | undefined
  readonly mode: number
}

async function existing(path: string): Promise<EditedFile> {
  try {
    const real = await realpath(path)
    return { path: real, bytes: await readFile(real), mode: (await stat(real)).mode & 0o777 }
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { path, bytes: undefined, mode: 0o600 }
    throw new ConfigError(`${path}: cannot be read (${codeOf(cause)}), so it is not written either`, { file: path, cause })
  }
}

function empty(file: string): ConfigDocument {
  return { value: {}, file, positionOf: () => undefined, repeated: [] }
}

/** Where the change goes, and what it puts there. */
function placeOf(change: ServerChange, document: ConfigDocument, host: Dialect | undefined): { path: ConfigPath; value: unknown } {
  const dialect = host ?? SHAPES.find(({ root }) => isObject(at(document.value, root))) ?? SHARED
  const path = [...dialect.root, change.name]
  const server = at(document.value, path)
  if (!isObject(document.value)) throw documentError(document, [], 'only servers by name can be changed here: edit a list by hand')
  if ('server' in change) {
    if (server !== undefined && change.replace !== true)
      throw documentError(document, path, `there is a server "${change.name}" already: remove it first, or replace it`)
    return { path, value: change.server }
  }
  if (!isObject(server)) throw documentError(document, dialect.root, `there is no server "${change.name}"`)
  if ('remove' in change) return { path, value: undefined }
  if (dialect.switchedOff !== undefined) {
    throw documentError(document, path, `${dialect.name} switches servers off elsewhere in this file: edit it by hand`)
  }
  const positive = 'enabled' in server || (!('disabled' in server) && dialect.switch === 'enabled')
  return positive ? { path: [...path, 'enabled'], value: change.enabled } : { path: [...path, 'disabled'], value: !change.enabled }
}

function at(value: unknown, path: ConfigPath): unknown {
  return path.reduce((whole, part) => (isObject(whole) && Object.hasOwn(whole, part) ? whole[part] : undefined), value)
}

function withValue(whole: unknown, [part, ...rest]: ConfigPath, value: unknown): unknown {
  if (part === undefined) return value
  const members = new Map(isObject(whole) ? Object.entries(whole) : [])
  const inner = withValue(members.get(String(part)), rest, value)
  if (inner === undefined) members.delete(String(part))
  else members.set(String(part), inner)
  return Object.fromEntries(members)
}

async function editorFor(file: string): Promise<SetAt> {
  if (/\.toml$/i.test(file)) return (await import('./edit-toml.ts')).setInToml
  if (/\.ya?ml$/i.test(file)) return (await import('./edit-yaml.ts')).setInYaml
  return (await import('./edit-json.ts')).setInJson
}
