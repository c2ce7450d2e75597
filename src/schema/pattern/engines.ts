/** What we use of the linear-time engine. */
interface Re2 {
  compile(source: string): { test(text: string): boolean }
  translateRegExp(source: string): string
}

let re2: Re2 | undefined
let loading: Promise<boolean> | undefined

/** Loads the linear-time engine, once; false when it is not installed. */
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

export function re2Loaded(): boolean {
  return re2 !== undefined
}

/** A test by the linear-time engine; `undefined` when it cannot run the expression. Only after `loadRe2`. */
export function re2Test(source: string): ((text: string) => boolean) | undefined {
  try {
    const compiled = re2?.compile(re2.translateRegExp(source))
    return compiled && ((text) => compiled.test(text))
  } catch {
    return undefined
  }
}
