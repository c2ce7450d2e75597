import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import type { Agreeable } from '../surroundings.ts'
import { type Machine, pathsOf } from './machine.ts'
import { sorted } from './sorted-json.ts'
import { writeWhole } from './write-whole.ts'

/** Remembers to what somebody agreed: one small file each, named by what it is about, so that a changed server asks anew. */
export class Agreements {
  readonly folder: string

  constructor(machine: Machine) {
    this.folder = pathsOf(machine.platform).join(stateFolder(machine), 'agreements')
  }

  async has(server: Agreeable): Promise<boolean> {
    try {
      return (await stat(this.#file(server))).isFile()
    } catch {
      // Whatever hides the file: without it there is no agreement.
      return false
    }
  }

  async add(server: Agreeable): Promise<void> {
    const file = this.#file(server)
    const { name, origin, agreement } = server
    const note = { server: name, file: origin.file, agreement, agreed: new Date().toISOString() }
    await writeWhole(file, `${JSON.stringify(note, undefined, 2)}\n`, 0o600)
  }

  async remove(server: Agreeable): Promise<void> {
    await rm(this.#file(server), { force: true })
  }

  #file({ name, origin, raw, agreement }: Agreeable): string {
    const about = createHash('sha256')
      .update(sorted([origin.file ?? null, name, raw, agreement ?? null]))
      .digest('hex')
    return `${this.folder}/${about}.json`
  }
}

function stateFolder({ env, home, platform }: Machine): string {
  const { join } = pathsOf(platform)
  if (platform === 'darwin') return join(home, 'Library/Application Support/mcp-switchboard')
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData/Local'), 'mcp-switchboard')
  return join(env.XDG_STATE_HOME ?? join(home, '.local/state'), 'mcp-switchboard')
}
