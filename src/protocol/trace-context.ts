/** Fields of version 00, which later versions begin with: an id of a trace and one of a span, neither all zeros. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/
const STATE_MEMBER = /^[a-z\d][a-z\d_\-*/@]{0,255}=[ -+\--<>-~]{0,255}[!-+\--<>-~]$/
const MAX_STATE_MEMBERS = 32
/** A token, `=`, a value, and properties of the same kind whose value may be missing. No text is matched in two ways. */
const BAGGAGE_MEMBER =
  /^[!#$%&'*+.^`|~\w-]+[\t ]*=[\t ]*(?:[!#-+\--:<-[\]-~]+[\t ]*)?(?:;[\t ]*[!#$%&'*+.^`|~\w-]+[\t ]*(?:=[\t ]*(?:[!#-+\--:<-[\]-~]+[\t ]*)?)?)*$/
const MAX_BAGGAGE_MEMBERS = 180
/** More than any carrier of baggage has to take. */
const MAX_CHARS = 8_192

const FORMS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['traceparent', (value: string) => TRACEPARENT.test(value)],
  ['tracestate', (value: string) => members(value, STATE_MEMBER, MAX_STATE_MEMBERS)],
  ['baggage', (value: string) => members(value, BAGGAGE_MEMBER, MAX_BAGGAGE_MEMBERS)],
])

/** The keys of `_meta` that carry a trace. @see spec basic/index#meta */
export const TRACE_KEYS: readonly string[] = [...FORMS.keys()]

/** Whether a value may stand at a key of `_meta`, or is not there at all: those that carry a trace have the form of W3C, of at most 8,192 characters. */
export function fitsTraceForm(key: string, value: unknown): boolean {
  const form = FORMS.get(key)
  return form === undefined || value === undefined || (typeof value === 'string' && value.length <= MAX_CHARS && form(value))
}

function members(value: string, form: RegExp, most: number): boolean {
  const all = value.split(',')
  return all.length <= most && all.every((member) => form.test(member.trim()))
}
