import { ProtocolError } from '../../errors.ts'
import type { Limits } from '../../limits.ts'
import { SKILLS_EXTENSION } from '../../protocol/extension-ids.ts'
import type { Logger } from '../../session/logger.ts'
import type { RequestOptions } from '../../session/request-options.ts'
import type { Session } from '../../session/session.ts'
import { type Extensions, requireExtension } from '../extensions.ts'
import type { KeptOptions, KeptRequests } from '../kept-requests.ts'
import { type ListKind, pages, whole } from '../pagination.ts'
import { frontmatterOf, same } from './frontmatter.ts'
import { LoadedSkill } from './loaded-skill.ts'
import { checkEntry, isSkillEntry, type Skill, unloadable } from './skill.ts'
import { readSkillFile } from './skill-file.ts'

export interface SkillSettings {
  readonly limits: Limits
  readonly logger: Logger
  readonly extensions: Extensions
}

export interface LoadSkillOptions extends RequestOptions {
  /** Loads a skill whose content cannot be checked, because the server makes it anew each time. Default false. */
  allowDynamic?: boolean | undefined
}

const LIST = 'skills/list'
const GET = 'skills/get'
const SKILL_LIST: ListKind<Omit<Skill, 'server'>> = { method: LIST, key: 'skills', accepts: isSkillEntry }

/** The skills that a server lists; it may serve others. No file is read. */
export async function listSkills(requests: KeptRequests, settings: SkillSettings, options?: KeptOptions): Promise<Skill[]> {
  const { session } = requests
  await requireExtension(session, settings.extensions, SKILLS_EXTENSION, LIST, options)
  const warn = (problem: string): void => settings.logger.warn(`${session.name}: ${problem}`)
  const entries = await whole(requests, LIST, (each) => pages(requests, SKILL_LIST, settings.limits, warn, each), options)
  return entries.map((entry) => ({ ...entry, server: session.name }))
}

/** The newest entry of one skill, listed or not. */
export async function getSkill(session: Session, settings: SkillSettings, uri: string, options?: RequestOptions): Promise<Skill> {
  if (typeof uri !== 'string' || uri === '') throw new TypeError('getSkill: the URI must be a string that is not empty')
  await requireExtension(session, settings.extensions, SKILLS_EXTENSION, GET, options)
  const { skill } = await session.request(GET, { uri }, options)
  if (!isSkillEntry(skill) || skill.uri !== uri)
    throw new ProtocolError(`the result of ${GET} is not the skill that was asked for`, {
      outcome: 'answered',
      method: GET,
      server: session.name,
    })
  return { ...skill, server: session.name }
}

/** Reads the SKILL.md of a skill and checks its size, digest and frontmatter. Nothing else is read. */
export async function loadSkill(
  session: Session,
  settings: SkillSettings,
  given: Skill | string,
  { allowDynamic = false, ...options }: LoadSkillOptions = {},
): Promise<LoadedSkill> {
  if (typeof given !== 'string' && !isSkillEntry(given))
    throw new TypeError('loadSkill takes a skill of listSkills or getSkill, or its URI')
  if (typeof given !== 'string' && given.server !== session.name)
    throw new TypeError(`this skill came from ${given.server}; a skill is loaded from its own server only`)
  await requireExtension(session, settings.extensions, SKILLS_EXTENSION, GET, options)
  const skill = structuredClone(typeof given === 'string' ? await getSkill(session, settings, given, options) : given)
  checkEntry(skill, allowDynamic)
  const file = await readSkillFile(session, skill, skill.uri, options)
  if (!same(await frontmatterOf(file.text), skill.frontmatter)) throw unloadable(skill, 'its frontmatter is not the one of its entry')
  return new LoadedSkill(session, skill, file)
}
