import type { HttpKind } from '../transport/http/http-kinds.ts'

/** The names of a transport in the option `transport`, and what they mean. */
const KINDS: ReadonlyMap<string, HttpKind> = new Map<string, HttpKind>([
  ['streamable-http', 'streamable-http'],
  ['streamable_http', 'streamable-http'],
  ['streamableHttp', 'streamable-http'],
  ['sse', 'sse'],
  ['http', 'http'],
])

/** Transports to try, in this order. */
export type HttpCandidates = readonly [HttpKind, ...HttpKind[]]

/** The transports to try, in this order, by the path of a URL. The path decides only what comes first. */
export function candidatesOf(url: string): HttpCandidates {
  return /\/sse\/?$/i.test(new URL(url).pathname) ? ['sse', 'streamable-http', 'http'] : ['streamable-http', 'sse', 'http']
}

/** The one transport that a name of ours stands for. */
export function kindNamed(name: string): HttpKind | undefined {
  return KINDS.get(name)
}

/** The same by the key `type` of configuration files, in which `http` has come to mean Streamable HTTP. */
export function candidatesOfType(type: string): HttpCandidates | undefined {
  if (type === 'http') return ['streamable-http', 'http']
  const kind = KINDS.get(type)
  return kind === undefined ? undefined : [kind]
}
