/** What we use of `node:vm`. */
interface Vm {
  Script: new (code: string) => { runInContext(context: object, options: { timeout: number }): unknown }
  createContext(sandbox: object): object
}

/** Runs one expression for at most so many milliseconds; `undefined` when the time is over. */
export type TimedTest = (expression: RegExp, text: string, milliseconds: number) => boolean | undefined

let timed: TimedTest | undefined

/** A backtracking engine that can be interrupted, which only Node has. Asked of `process`, so that no bundle for another runtime names it. */
export function timedTest(): TimedTest | undefined {
  const { process } = globalThis as { process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => unknown } }
  if (timed || process?.versions?.node === undefined || 'bun' in process.versions || 'deno' in process.versions) return timed
  const vm = process.getBuiltinModule?.('node:vm') as Vm | undefined
  if (vm === undefined) return undefined
  const script = new vm.Script('expression.test(text)')
  const input: { expression?: RegExp; text?: string } = {}
  const context = vm.createContext(input)
  timed = (expression, text, milliseconds) => {
    Object.assign(input, { expression, text })
    try {
      return script.runInContext(context, { timeout: Math.max(1, Math.ceil(milliseconds)) }) === true
    } catch {
      return undefined
    } finally {
      input.text = ''
    }
  }
  return timed
}
