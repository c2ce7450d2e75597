import { existsSync } from 'node:fs'
import { ConfigError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/codec.ts'
import type { ConfigDocument, ConfigPath } from '../config-document.ts'
import type { Discovery, DiscoveryOptions, FoundFile, FoundServer } from '../discovery.ts'
import { distinctNames } from '../distinct-names.ts'
import { documentServers, type Loading } from '../document-servers.ts'
import type { ServerDefinition } from '../server-definition.ts'
import { type HostFile, hostFiles } from './host-files.ts'
import { machine, pathsOf } from './machine.ts'
import { readDocument } from './read-config-file.ts'
import { surroundings } from './surroundings.ts'

/** How many folders above the working folder may belong to its project. */
const MAX_PARENTS = 64

/** What `discoverServers` does where there are files. */
export async function discover({ trust, input, ...given }: DiscoveryOptions): Promise<Discovery> {
  const here = machine(given)
  const around = surroundings(undefined, here)
  const notices = new Set<string>()
  const loading: Loading = { around, input, trust: trust ?? false, notice: (text) => notices.add(text) }
  const documents = new Map<string, Promise<ConfigDocument>>()
  const read = (file: string): Promise<ConfigDocument> => {
    const document = documents.get(file) ?? readDocument(file)
    documents.set(file, document)
    return document
  }
  const files: FoundFile[] = []
  const servers: FoundServer[] = []
  const winners = new Map<string, FoundServer>()
  for (const host of hostFiles(around, projectFolders(here.cwd, here.home, pathsOf(here.platform).dirname))) {
    if (!existsSync(host.file)) continue
    const { found, problem } = await serversIn(host, read, loading)
    const { file, dialect, place } = host
    files.push({ file, dialect: dialect.name, scope: place.scope, servers: found.length, problem })
    for (const definition of found) {
      const winner = winners.get(definition.name)
      const server: FoundServer = { ...definition, shadowedBy: winner?.origin }
      servers.push(server)
      if (winner === undefined) winners.set(definition.name, server)
    }
  }
  return { servers, files, notices: [...notices] }
}

async function serversIn(
  { dialect, place, file, project }: HostFile,
  read: (file: string) => Promise<ConfigDocument>,
  loading: Loading,
): Promise<{ found: readonly ServerDefinition[]; problem: ConfigError | undefined }> {
  try {
    const document = await read(file)
    const within = 'within' in place ? place.within(project ?? '') : undefined
    const part = within === undefined ? document : partOf(document, within)
    if (!isObject(part.value)) return { found: [], problem: undefined }
    const reading = {
      scope: place.scope,
      dialect: within === undefined ? dialect : { ...dialect, root: [] },
      folder: project,
      expand: true,
    }
    return { found: distinctNames(documentServers(part, reading, loading)), problem: undefined }
  } catch (error) {
    if (error instanceof ConfigError) return { found: [], problem: error }
    throw error
  }
}

/** A part of a document as one of its own. */
function partOf(document: ConfigDocument, within: ConfigPath): ConfigDocument {
  const value = within.reduce<unknown>(
    (whole, part) => (isObject(whole) && Object.hasOwn(whole, part) ? whole[part] : undefined),
    document.value,
  )
  const repeated = document.repeated
    .filter(({ path }) => within.every((part, index) => path[index] === part))
    .map(({ path, position }) => ({ path: path.slice(within.length), position }))
  return { value, file: document.file, repeated, positionOf: (path) => document.positionOf([...within, ...path]) }
}

/** The working folder and those above it, up to the one that holds the repository; only itself where there is none. */
function projectFolders(cwd: string, home: string, dirname: (path: string) => string): string[] {
  const folders: string[] = []
  for (let folder = cwd; folder !== home && folders.length < MAX_PARENTS; folder = dirname(folder)) {
    folders.push(folder)
    if (existsSync(`${folder}/.git`)) return folders
    if (dirname(folder) === folder) break
  }
  return folders.slice(0, 1)
}
