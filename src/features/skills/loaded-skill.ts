import type { RequestOptions } from '../../session/request-options.ts'
import type { Session } from '../../session/session.ts'
import { isWithin, MAX_SKILL_BYTES, rootOf, type Skill, unloadable } from './skill.ts'
import { readSkillFile, type SkillFile } from './skill-file.ts'

/**
 * A skill whose SKILL.md was read and is what its entry says. It holds that entry: its files are read only as the entry lists them, each when
 * it is asked for, and checked.
 * @see spec Skills extension, integrity and verification
 */
export class LoadedSkill {
  /** The entry that it was loaded from. */
  readonly skill: Skill
  /** The whole SKILL.md. Untrusted: never run it, and tell the model that it came from `skill.server`. */
  readonly text: string
  readonly #session: Session
  #bytes: number

  constructor(session: Session, skill: Skill, file: SkillFile) {
    this.#session = session
    this.skill = skill
    this.text = file.text
    this.#bytes = file.bytes.byteLength
  }

  get name(): string {
    return this.skill.frontmatter.name
  }

  get description(): string {
    return this.skill.frontmatter.description
  }

  /** The server that it came from. */
  get server(): string {
    return this.skill.server
  }

  /**
   * A file of the skill, by its URI or by its path from the skill's folder, such as `references/FORMS.md`.
   * @throws ValidationError for one that the entry does not list, or whose content is another.
   */
  async read(file: string, options?: RequestOptions): Promise<SkillFile> {
    const { skill } = this
    const uri = uriOf(skill, file)
    const listed = skill.resources === 'dynamic' ? isWithin(uri, rootOf(skill)) : skill.resources.some((each) => each.uri === uri)
    if (!listed) throw unloadable(skill, `${JSON.stringify(file)} is no file of it`)
    const read = await readSkillFile(this.#session, skill, uri, options)
    if (skill.resources === 'dynamic') {
      this.#bytes += read.bytes.byteLength
      if (this.#bytes > MAX_SKILL_BYTES) throw unloadable(skill, `more than ${MAX_SKILL_BYTES} bytes of it were read`)
    }
    return read
  }
}

/** A path is resolved as a file system does, and never above the skill's folder. */
function uriOf(skill: Skill, file: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(file)) return file
  const parts: string[] = []
  for (const part of file.split('/')) {
    if (part === '..' && parts.pop() === undefined) throw unloadable(skill, `${JSON.stringify(file)} is no file of it`)
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return `${rootOf(skill)}/${parts.join('/')}`
}
