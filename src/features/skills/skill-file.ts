import { ProtocolError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/codec.ts'
import { bytesOf } from '../../protocol/content.ts'
import { RESOURCES_READ } from '../../protocol/methods.ts'
import { peerText } from '../../protocol/peer-text.ts'
import type { RequestOptions } from '../../session/request-options.ts'
import type { Session } from '../../session/session.ts'
import { MAX_SKILL_BYTES, type Skill, unloadable } from './skill.ts'

/** One file of a skill, as it was read and found to be what the entry says. */
export interface SkillFile {
  /** The server that it came from. */
  readonly server: string
  readonly uri: string
  readonly mimeType: string | undefined
  readonly bytes: Uint8Array
  /** The bytes as UTF-8. Untrusted: never run it, and tell the model where it came from. */
  readonly text: string
}

/** Reads one file. @throws ValidationError when it is not the one that the entry describes; then nothing of it is handed out. */
export async function readSkillFile(session: Session, skill: Skill, uri: string, options?: RequestOptions): Promise<SkillFile> {
  const expected = skill.resources === 'dynamic' ? undefined : skill.resources.find((file) => file.uri === uri)
  const { contents } = await session.request(RESOURCES_READ, { uri }, options)
  const content: unknown = Array.isArray(contents) ? contents.find((each: unknown) => isObject(each) && each.uri === uri) : undefined
  const bytes = isObject(content) ? rawBytes(content) : undefined
  if (!isObject(content) || bytes === undefined) {
    throw new ProtocolError(`the result of ${RESOURCES_READ} does not hold ${peerText(uri, 200)}`, {
      outcome: 'answered',
      method: RESOURCES_READ,
      server: session.name,
    })
  }
  const shown = peerText(uri, 200)
  if (bytes.byteLength > MAX_SKILL_BYTES) throw unloadable(skill, `${shown} has more than ${MAX_SKILL_BYTES} bytes`)
  if (expected !== undefined && bytes.byteLength !== expected.size)
    throw unloadable(skill, `${shown} has ${bytes.byteLength} bytes instead of ${expected.size}; getSkill brings the newest entry`)
  if (expected !== undefined && (await digestOf(bytes)) !== expected.digest)
    throw unloadable(skill, `${shown} does not have the digest of its entry; getSkill brings the newest entry`)
  return {
    server: session.name,
    uri,
    mimeType: typeof content.mimeType === 'string' ? content.mimeType : undefined,
    bytes,
    text: typeof content.text === 'string' ? content.text : new TextDecoder().decode(bytes),
  }
}

function rawBytes({ text, blob, uri }: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text === 'string') return new TextEncoder().encode(text)
  if (typeof blob !== 'string') return undefined
  try {
    return new Uint8Array(bytesOf({ uri: String(uri), blob }))
  } catch {
    return undefined
  }
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
