/** Says whether a text contains a match. */
export type Matcher = (text: string) => boolean

let re2: { compile(source: string): { test(text: string): boolean } } | undefined
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

/** A matcher of the linear-time engine; `undefined` when it cannot run the expression. Only after `loadRe2`. */
export function re2Matcher(source: string): Matcher | undefined {
  try {
    const compiled = re2?.compile(source)
    return compiled && ((text) => compiled.test(text))
  } catch {
    return undefined
  }
}

/** What we use of `node:vm`. */
interface Vm {
  Script: new (code: string) => { runInContext(context: object, options: { timeout: number }): unknown }
  createContext(sandbox: object): object
}

/** Runs one expression for at most so many milliseconds; `undefined` when the time is over. */
export type TimedMatcher = (expression: RegExp, text: string, milliseconds: number) => boolean | undefined

let timed: TimedMatcher | undefined

/** A backtracking engine that can be interrupted, which only Node has. Asked of `process`, so that no bundle for another runtime names it. */
export function timedMatcher(): TimedMatcher | undefined {
  timed ??= makeTimed()
  return timed
}

function makeTimed(): TimedMatcher | undefined {
  const { process } = globalThis as { process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => unknown } }
  if (process?.versions?.node === undefined || 'bun' in process.versions || 'deno' in process.versions) return undefined
  const vm = process.getBuiltinModule?.('node:vm') as Vm | undefined
  if (vm === undefined) return undefined
  const script = new vm.Script('expression.test(text)')
  const input: { expression?: RegExp; text?: string } = {}
  const context = vm.createContext(input)
  return (expression, text, milliseconds) => {
    Object.assign(input, { expression, text })
    try {
      return script.runInContext(context, { timeout: Math.max(1, Math.ceil(milliseconds)) }) === true
    } catch {
      return undefined
    } finally {
      input.text = ''
    }
  }
}
