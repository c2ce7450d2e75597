// Each expression decides every choice by its next character, so none can backtrack over a long text.
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|([+-])(\d\d):(\d\d))$/
const URI_CHARS = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i
const URI_START = /^[a-z][a-z\d+.-]*:(?:\/\/(?:[^/?#@[\]]*@)?(?:(\[[^[\]]+\])|[^:/?#@[\]]*)(?::\d*)?(?=$|[/?#]))?/i
const ATOMS = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const QUOTED = /^"(?:[^"\\]|\\.)*"$/
const HOST = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/** The formats that can be asserted: those that the specification of elicitation names. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: isEmail,
  uri: isUri,
  date: isDate,
  'date-time': isDateTime,
}

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31)
}

/** RFC 3339: a leap second only where the time is 23:59:60 in UTC. */
function isDateTime(text: string): boolean {
  if (!/^[tT]$/.test(text.charAt(10)) || !isDate(text.slice(0, 10))) return false
  const found = TIME.exec(text.slice(11))
  if (found === null) return false
  const [hour = 0, minute = 0, second = 0] = found.slice(1, 4).map(Number)
  const [offsetHour, offsetMinute] = [Number(found[5] ?? 0), Number(found[6] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  if (second < 60) return true
  const utc = hour * 60 + minute - (offsetHour * 60 + offsetMinute) * (found[4] === '-' ? -1 : 1)
  return (utc + 2880) % 1440 === 1439
}

function isUri(text: string): boolean {
  const [start, address] = URI_START.exec(text) ?? []
  if (start === undefined || !URI_CHARS.test(text)) return false
  // What follows the authority has no brackets and one fragment; two slashes here are an authority that is none.
  const rest = text.slice(start.length)
  if (rest.startsWith('//') || !/^[^#[\]]*(?:#[^#[\]]*)?$/.test(rest)) return false
  return address === undefined || isAddress(address, '') || /^\[v[\da-f]+\.[^:]*[\w:]+\]$/i.test(address)
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [local, host] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || text.length > 320 || !(ATOMS.test(local) || QUOTED.test(local))) return false
  const [, version, address = ''] = /^\[(IPv6:)?([^[\]]+)\]$/i.exec(host) ?? []
  return HOST.test(host) || isAddress(`[${address}]`, version ?? 'v4')
}

/** An address in brackets, by the rules of URLs, which every runtime has; they also shorten numbers, so that IPv4 must come back unchanged. */
function isAddress(address: string, version: string): boolean {
  if (version !== 'v4') return /^\[[\da-f:.]+\]$/i.test(address) && URL.canParse(`http://${address}/`)
  const host = address.slice(1, -1)
  return /^[\d.]+$/.test(host) && URL.canParse(`http://${host}/`) && new URL(`http://${host}/`).hostname === host
}
