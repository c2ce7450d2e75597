import { ValidationError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/codec.ts'
import { peerText } from '../../protocol/peer-text.ts'

/** One file of a skill, with what its content must be. */
export interface SkillResource {
  uri: string
  /** `sha256:` and 64 lowercase hexadecimal characters. */
  digest: string
  /** Bytes. */
  size: number
}

/** What a server says of one skill. Untrusted, like all that it says. @see spec Skills extension, skill entries */
export interface Skill {
  /** The server that it came from, as this client calls it. A skill is known by this and its `uri`; names are not unique. */
  readonly server: string
  /** Of its SKILL.md. */
  readonly uri: string
  /** As the author wrote it. `allowed-tools` in it grants nothing. */
  readonly frontmatter: { readonly name: string; readonly description: string; readonly [key: string]: unknown }
  /** Every file, or `dynamic`: its content cannot be checked. */
  readonly resources: readonly SkillResource[] | 'dynamic'
}

/** Files of one skill. What has more is not loaded. */
export const MAX_SKILL_FILES = 512
/** Bytes of all files of one skill. */
export const MAX_SKILL_BYTES = 16_777_216
export const SKILL_FILE = 'SKILL.md'

/** Whether an entry names a skill at all; one that is otherwise wrong is listed, and refused when it is loaded. */
export function isSkillEntry(value: unknown): value is Omit<Skill, 'server'> {
  if (!isObject(value) || typeof value.uri !== 'string' || !isObject(value.frontmatter)) return false
  return typeof value.frontmatter.name === 'string' && typeof value.frontmatter.description === 'string'
}

/** The URI of the folder that a skill is. */
export function rootOf({ uri }: Pick<Skill, 'uri'>): string {
  return uri.slice(0, -SKILL_FILE.length - 1)
}

/** @throws ValidationError that says why this entry cannot be loaded. Nothing was read. */
export function checkEntry(skill: Skill, allowDynamic: boolean): void {
  const problem = problemOf(skill, allowDynamic)
  if (problem !== undefined) throw unloadable(skill, problem)
}

/** Why a skill is not loaded. */
export function unloadable({ uri, server }: Pick<Skill, 'uri' | 'server'>, problem: string): ValidationError {
  return new ValidationError(`the skill ${peerText(uri, 200)} is not loaded: ${problem}`, { reason: 'mismatch' }, { server })
}

function problemOf({ uri, frontmatter, resources }: Skill, allowDynamic: boolean): string | undefined {
  if (!uri.endsWith(`/${SKILL_FILE}`)) return `its URI does not end in /${SKILL_FILE}`
  const root = rootOf({ uri })
  if (root.slice(root.lastIndexOf('/') + 1) !== frontmatter.name) return 'its name is not the last part of its path'
  if (resources === 'dynamic')
    return allowDynamic ? undefined : 'its content cannot be checked (dynamic); allowDynamic loads it nevertheless'
  if (!Array.isArray(resources)) return 'it has no list of its files'
  if (resources.length > MAX_SKILL_FILES) return `it has more than ${MAX_SKILL_FILES} files`
  if (!resources.every(isResource)) return 'the list of its files is malformed'
  const uris = new Set(resources.map((file) => file.uri))
  if (uris.size < resources.length) return 'the list of its files names one twice'
  if (!uris.has(uri)) return `the list of its files lacks ${SKILL_FILE}`
  if (resources.some((file) => !isWithin(file.uri, root))) return 'the list of its files names one outside of it'
  const bytes = resources.reduce((sum, file) => sum + file.size, 0)
  return bytes > MAX_SKILL_BYTES ? `it has more than ${MAX_SKILL_BYTES} bytes` : undefined
}

function isResource(value: unknown): value is SkillResource {
  if (!isObject(value) || typeof value.uri !== 'string' || typeof value.digest !== 'string') return false
  return /^sha256:[0-9a-f]{64}$/.test(value.digest) && typeof value.size === 'number' && Number.isSafeInteger(value.size) && value.size >= 0
}

/** Whether a URI names something in a folder without climbing out of it, percent-encoded or not. */
export function isWithin(uri: string, root: string): boolean {
  return (
    uri.startsWith(`${root}/`) &&
    !/(?:^|[/\\])\.{1,2}(?:[/\\]|$)/.test(uri.slice(root.length).replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\'))
  )
}
