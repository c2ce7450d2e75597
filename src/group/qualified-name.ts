import { LETTERS, shortHash } from './short-hash.ts'

/** What every vendor of models takes as the name of a tool. */
const MAX_CHARS = 64
const SEPARATOR = '__'
const MARK = '--'
const MAX_SERVER_CHARS = 20

const PLAIN = /^[A-Za-z0-9_-]+$/
/** The end of a name that was shortened or cleaned. A name that ends so by itself gets one too, so that no two can meet. */
const MARKED = new RegExp(`${MARK}[0-9a-z]{${LETTERS}}$`)

/**
 * The name of something of a server among those of all servers: `server__name`, made only of the two, so that it is the same whatever other
 * servers there are. What does not fit is cleaned and shortened, and ends in a hash of both names instead; so does what could be read in two ways.
 * @param salt Tells names apart whose hashes meet.
 */
export function qualifiedName(server: string, name: string, salt = 0): string {
  const whole = `${server}${SEPARATOR}${name}`
  if (salt === 0 && whole.length <= MAX_CHARS && isUnambiguous(server) && PLAIN.test(name) && !MARKED.test(name)) return whole
  const hash = shortHash(JSON.stringify([server, name, salt]))
  const head = `${cleaned(server).slice(0, MAX_SERVER_CHARS)}${SEPARATOR}${cleaned(name)}`
  return `${head.slice(0, MAX_CHARS - MARK.length - LETTERS)}${MARK}${hash}`
}

/** Whether a name can be one of this server. For choosing whom to ask: what it stands for is not read from it. */
export function mayBelongTo(server: string, qualified: string): boolean {
  if (qualified.startsWith(`${server}${SEPARATOR}`)) return true
  return MARKED.test(qualified) && qualified.startsWith(`${cleaned(server).slice(0, MAX_SERVER_CHARS)}${SEPARATOR}`)
}

/** Whether a name has the form of a qualified one. */
export function looksQualified(name: string): boolean {
  return name.includes(SEPARATOR)
}

/** The first separator in the whole name is the one between the two. */
function isUnambiguous(server: string): boolean {
  return PLAIN.test(server) && !server.includes(SEPARATOR) && !server.endsWith('_')
}

function cleaned(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_') || '_'
}

/** The qualified names of what one server has, by its own names; the same for the same names, in whatever order they come. */
export function qualifiedNames(server: string, names: Iterable<string>): ReadonlyMap<string, string> {
  const qualified = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of [...new Set(names)].sort()) {
    let full = qualifiedName(server, name)
    for (let salt = 1; taken.has(full); salt++) full = qualifiedName(server, name, salt)
    taken.add(full)
    qualified.set(name, full)
  }
  return qualified
}
