import type { Dialect, Place } from '../hosts/dialect.ts'
import { HOSTS } from '../hosts/dialects.ts'
import { foldersOf } from '../hosts/place.ts'
import type { Surroundings } from '../surroundings.ts'

/** A file that a host may have. */
export interface HostFile {
  readonly dialect: Dialect
  readonly place: Place
  readonly file: string
  /** The folder of the project, for files that are about one. */
  readonly project: string | undefined
}

/** Every file that hosts would read here, the one that wins first. `projects` are the folders that count as the project, the nearest first. */
export function hostFiles(around: Surroundings, projects: readonly string[]): HostFile[] {
  const folders = foldersOf(around)
  if (folders === undefined) return []
  const found = HOSTS.flatMap((dialect) =>
    (dialect.places ?? []).flatMap((place): HostFile[] => {
      if (place.scope === 'project') {
        return projects.map((project) => ({ dialect, place, file: around.resolve(project, place.path), project }))
      }
      const file = place.file(folders)
      if (file === undefined) return []
      return 'within' in place
        ? projects.map((project) => ({ dialect, place, file: around.resolve(file, '.'), project }))
        : [{ dialect, place, file: around.resolve(file, '.'), project: undefined }]
    }),
  )
  return found.sort((a, b) => rank(a.place) - rank(b.place))
}

/** What the administrator says wins, then what is about the project, then the rest. */
function rank(place: Place): number {
  if (place.scope === 'managed') return 0
  return place.scope === 'project' || 'within' in place ? 1 : 2
}

/** Which host a file belongs to, by where it stands. */
export function hostOf(file: string, around: Surroundings): HostFile | undefined {
  const own = hostFiles(around, []).find((each) => each.file === file)
  if (own !== undefined) return own
  const path = file.replaceAll('\\', '/')
  for (const dialect of HOSTS) {
    for (const place of dialect.places ?? []) {
      if (place.scope !== 'project' || !path.endsWith(`/${place.path}`)) continue
      return { dialect, place, file, project: file.slice(0, -place.path.length - 1) || '/' }
    }
  }
  return undefined
}
