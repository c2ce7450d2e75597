/** What we use of the linear-time engine. */
interface Re2 {
  compile(source: string): { test(text: string): boolean }
  translateRegExp(source: string): string
}

/** What RE2 reads otherwise: halves of surrogate pairs, `\S` in most classes. */
const UNLIKE = /\\u[dD][89a-fA-F]|\[(?!\\s\\S\])[^\]]*\\S/
const SPACE = String.raw`\t-\r\p{Z}\x{feff}`

let re2: Re2 | undefined
let loading: Promise<boolean> | undefined
/** Set when a check met an expression that waits for the engine. */
let waiting = false

/** Loads the engine, once; false when it is not installed. */
export function loadRe2(): Promise<boolean> {
  loading ??= import('re2js').then(
    ({ RE2JS }) => {
      re2 = RE2JS
      return true
    },
    () => false,
  )
  return loading
}

/** Loads the engine if an expression waits for it; true when that one can now be checked. */
export async function patternsReady(): Promise<boolean> {
  const loaded = waiting && (await loadRe2())
  // Only now: whoever asks in between waits for the same engine.
  waiting = false
  return loaded
}

/** A test by the engine, or in words why there is none yet; `undefined` when it cannot run the expression. */
export function re2Test(source: string): ((text: string) => boolean) | string | undefined {
  if (UNLIKE.test(source)) return undefined
  waiting ||= !re2
  if (!re2) return 'needs an engine that is not loaded'
  // It takes these for smaller or larger classes.
  const spelled = source.replace(/\[(?:\\.|[^\]\\])*\]|\\.|\./gsu, (token) => {
    if (token === '.') return '[^\\n\\r\\x{2028}\\x{2029}]'
    return token.startsWith('[') ? token.replaceAll('\\s', SPACE) : token.replace('\\s', `[${SPACE}]`).replace('\\S', `[^${SPACE}]`)
  })
  try {
    const compiled = re2.compile(re2.translateRegExp(spelled))
    return (text) => compiled.test(text)
  } catch {
    return undefined
  }
}
