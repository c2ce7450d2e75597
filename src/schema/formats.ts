// Each expression decides every choice by its next character or within 64, so none can backtrack over a long text.
const DATE = /^\d{4}-\d\d-\d\d$/
const DATE_TIME = /^(.{10})t((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.\d+)?(z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i
const URI_CHARS = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i
const URI =
  /^[a-z][a-z\d+.-]*:(?:\/\/(?:[^/?#@[\]]*@)?(?:(\[[\da-f:.]+\])|[^:/?#@[\]]*)(?::\d*)?(?=[/?#]|$)|(?!\/\/))[^#[\]]*(?:#[^#[\]]*)?$/i
const EMAIL =
  /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"(?:[^"\\]|\\.)*")@(?:\[(?:IPv6:([\da-f:.]+)|(\d+(?:\.\d+){3}))\]|((?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.(?!$)|$))+))$/i

/** An address by the rules of URLs, which every runtime has. */
const isHost = (host: string | undefined): boolean => URL.canParse(`http://${host}/`)

function isDate(text: string): boolean {
  return DATE.test(text) && new Date(text).toJSON()?.startsWith(text) === true
}

/** The formats that can be asserted: those that the specification of elicitation names. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': (text) => {
    const [, date = '', time, second, zone = ''] = DATE_TIME.exec(text) ?? []
    // A leap second is 23:59:60 in UTC.
    return isDate(date) && (second !== '60' || new Date(`${date}T${time}:59${zone.toUpperCase()}`).toJSON().includes('T23:59:59'))
  },
  email: (text) => {
    const [email, v6, v4, host] = text.length > 320 ? [] : (EMAIL.exec(text) ?? [])
    return email !== undefined && isHost(v6 === undefined ? (v4 ?? host) : `[${v6}]`)
  },
  uri: (text) => {
    const [uri, address] = URI.exec(text) ?? []
    return uri !== undefined && URI_CHARS.test(uri) && (address === undefined || isHost(address))
  },
}
