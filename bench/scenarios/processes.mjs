import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** How many processes of the server one stdio connection starts when the client finds out the era by itself; one key per era. */
export async function prepare(open, target, { eras }) {
  const slices = {}
  for (const era of eras) {
    slices[era] = async () => {
      const folder = await mkdtemp(join(tmpdir(), 'switchboard-bench-'))
      try {
        const starts = join(folder, 'starts')
        const client = await open({ command: [...target.command, '--era', era, '--starts', starts], era: 'auto' })
        await client.call('echo', { message: 'here' })
        await client.close()
        return { processes: (await readFile(starts, 'utf8')).length }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }
  }
  return { slices }
}
