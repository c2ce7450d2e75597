import { limitReached, type Run } from '../run.ts'
import { loadRe2, re2Loaded, re2Test } from './engines.ts'
import { linearCost } from './linear.ts'
import { forRe2 } from './re2-syntax.ts'
import { timedTest } from './timed.ts'

/** Says whether a text matches; `undefined`, and a note in the run, when nobody can say. */
type Pattern = (text: string, run: Run) => boolean | undefined

/** Look-arounds and back references. */
const BACKTRACKING = /\(\?<?[=!]|\\[k1-9]/
/** A call that has its own watchdog costs about as much as this many steps. */
const TIMED_STEPS = 500
/** Steps are meant to last at most a quarter of a microsecond: so many units of matching work fit into one. */
const WORK_PER_STEP = 64

/** Set when a check met a pattern that waits for RE2. */
let waiting = false

/** Loads RE2 if a pattern waits for it; true when that pattern can now be checked. */
export async function patternsReady(): Promise<boolean> {
  const loaded = waiting && (await loadRe2())
  // Only now: whoever asks in between waits for the same engine.
  waiting = false
  return loaded
}

/** A pattern that is made ready by its first text. What could not be run then may run once RE2 is there. */
export function patternOf(source: string, place: string): Pattern {
  let pattern: Pattern | string = ''
  return (text, run) => {
    if (typeof pattern === 'string') {
      if (source.length > run.limits.maxPatternChars) limitReached('maxPatternChars', run.limits)
      run.spend(source.length)
      pattern = prepare(source)
    }
    if (typeof pattern !== 'string') return pattern(text, run)
    run.unknown(place, `the pattern ${pattern}`)
    return undefined
  }
}

/**
 * The pattern, or why nobody can run it. Native expressions run only where a look at their syntax proves that they take linear time; others
 * run in RE2, which is loaded when it is first needed, and what RE2 does not know runs with a time limit where there is one.
 */
function prepare(source: string): Pattern | string {
  const native = expression(source, 'u') ?? expression(source.replace(/\\(.)/gsu, needless), 'u') ?? expression(source, '')
  if (native === undefined) return 'is not a regular expression'
  const plain = native.unicode && !BACKTRACKING.test(native.source)
  const cost = plain ? linearCost(native.source) : undefined
  if (cost !== undefined) return charged((text) => native.test(text), cost)
  const spelled = plain ? forRe2(native.source) : undefined
  waiting ||= spelled !== undefined && !re2Loaded()
  if (spelled !== undefined && !re2Loaded()) return 'needs an engine that is not loaded'
  const test = spelled === undefined ? undefined : re2Test(spelled)
  return test ? charged(test, 2 * source.length) : withTimeLimit(native)
}

function expression(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}

/** An escape as flag `u` takes it, which refuses those that nothing needs. */
function needless(needed: string, char: string): string {
  return char === '-' ? '\\x2d' : /[\w^$\\.*+?()[\]{}|/]/.test(char) ? needed : char
}

function charged(test: (text: string) => boolean, costPerChar: number): Pattern {
  return (text, run) => {
    run.spend(1 + Math.floor((text.length * costPerChar) / WORK_PER_STEP))
    return test(text)
  }
}

function withTimeLimit(native: RegExp): Pattern | string {
  const test = timedTest()
  if (test === undefined) return 'can take endless time, and nothing here can limit it'
  return (text, run) => {
    // The engine looks at the clock only when it backtracks: how much it may do in between grows with the text.
    run.spend(TIMED_STEPS + Math.floor(text.length ** 2 / 256))
    const began = performance.now()
    const found = run.patternMs > 0 ? test(native, text, run.patternMs) : undefined
    run.patternMs -= performance.now() - began
    return found ?? limitReached('maxPatternMs', run.limits)
  }
}
