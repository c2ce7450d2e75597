import { limitReached, type Run } from '../run.ts'
import { isRegular, linearCost } from './linear.ts'
import { re2Test } from './re2.ts'
import { timedTest } from './timed.ts'

/** Says whether a text matches; `undefined`, and a note in the run, when nobody can say. */
type Pattern = (text: string, run: Run) => boolean | undefined

/** A call that has its own watchdog costs about as much as this many steps. */
const TIMED_STEPS = 500
/** Steps are meant to last at most a quarter of a microsecond: so many units of matching work fit into one. */
const WORK_PER_STEP = 64

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
  const native = expression(source, 'u') ?? expression(source, '')
  if (native === undefined) return 'is not a regular expression'
  const regular = isRegular(native)
  const cost = regular && linearCost(source)
  if (cost) return charged((text) => native.test(text), cost)
  const test = regular ? re2Test(source) : undefined
  if (test !== undefined) return typeof test === 'string' ? test : charged(test, 2 * source.length)
  const inTime = timedTest()
  if (inTime === undefined) return 'can take endless time, and nothing here can limit it'
  return (text, run) => {
    // The engine looks at the clock only when it backtracks: how much it may do in between grows with the text.
    run.spend(TIMED_STEPS + ((text.length ** 2) >>> 8))
    const began = performance.now()
    const found = run.patternMs > 0 ? inTime(native, text, run.patternMs) : undefined
    run.patternMs -= performance.now() - began
    return found ?? limitReached('maxPatternMs', run.limits)
  }
}

function expression(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}

function charged(test: (text: string) => boolean, costPerChar: number): Pattern {
  return (text, run) => {
    run.spend(Math.ceil((text.length * costPerChar) / WORK_PER_STEP))
    return test(text)
  }
}
