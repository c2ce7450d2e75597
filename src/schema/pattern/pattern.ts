import { limitReached, type Run } from '../run.ts'
import { loadRe2, type Matcher, re2Loaded, re2Matcher, timedMatcher } from './engines.ts'
import { linearCost } from './linear.ts'
import { type Expression, parseExpression, printExpression } from './syntax.ts'

/** Says whether a text matches; `undefined`, and a note in the run, when nobody can say. */
export type Pattern = (text: string, run: Run, place: () => string) => boolean | undefined

/** A call that has its own watchdog costs about as much as this many steps. */
const TIMED_STEPS = 500
/** Steps are meant to last at most a quarter of a microsecond: so many units of matching work fit into one. */
const WORK_PER_STEP = 64

/**
 * The patterns of one schema. Native expressions run only where a look at their syntax proves that they take linear time; others run in
 * RE2, which is loaded when it is first needed, and what RE2 does not know runs with a time limit where there is one.
 */
export class Patterns {
  /** Set when a check met a pattern that waits for RE2. */
  waiting = false
  private readonly known = new Map<string, Pattern>()

  match(source: string, text: string, run: Run, place: () => string): boolean | undefined {
    let pattern = this.known.get(source)
    if (pattern === undefined) {
      if (source.length > run.limits.maxPatternChars) limitReached('maxPatternChars', run.limits)
      run.spend(source.length)
      pattern = this.prepare(source)
      this.known.set(source, pattern)
    }
    return pattern(text, run, place)
  }

  /** Loads RE2 if a pattern waits for it; true when that pattern can now be checked. */
  async ready(): Promise<boolean> {
    if (!this.waiting) return false
    this.waiting = false
    this.known.clear()
    return loadRe2()
  }

  private prepare(source: string): Pattern {
    const expression = parseExpression(source)
    const native = nativeExpression(source, expression)
    if (native === undefined) return unchecked('is not a regular expression')
    const cost = expression && linearCost(expression)
    if (cost !== undefined) return charged((text) => native.test(text), cost)
    const printed = expression && hasLook(expression) ? undefined : expression && printExpression(expression, '\\x')
    if (printed !== undefined && !re2Loaded()) {
      this.waiting = true
      return unchecked('needs the engine for patterns that backtrack, which is not loaded')
    }
    const linear = printed === undefined ? undefined : re2Matcher(printed)
    return linear ? charged(linear, 2 * source.length) : withTimeLimit(native)
  }
}

/** With flag `u`, also for sources that are legal only without it; without the flag as the last resort. */
function nativeExpression(source: string, expression: Expression | undefined): RegExp | undefined {
  const attempts: (() => RegExp)[] = [() => new RegExp(source, 'u'), () => new RegExp(source)]
  if (expression !== undefined) attempts.splice(1, 0, () => new RegExp(printExpression(expression, '\\u'), 'u'))
  for (const attempt of attempts) {
    try {
      return attempt()
    } catch {
      // The next attempt is more forgiving.
    }
  }
  return undefined
}

function hasLook(expression: Expression): boolean {
  if (expression.kind === 'repeat') return hasLook(expression.item)
  return expression.kind === 'look' || ('items' in expression && expression.items.some(hasLook))
}

function unchecked(why: string): Pattern {
  return (_text, run, place) => void run.unknown(`${place()} was not checked: the pattern ${why}`)
}

function charged(matches: Matcher, costPerChar: number): Pattern {
  const failed = unchecked('is too large for the engine')
  return (text, run, place) => {
    run.spend(1 + Math.floor((text.length * costPerChar) / WORK_PER_STEP))
    try {
      return matches(text)
    } catch {
      return failed(text, run, place)
    }
  }
}

function withTimeLimit(native: RegExp): Pattern {
  const matches = timedMatcher()
  if (matches === undefined) return unchecked('can take endless time, and nothing here can limit it')
  return (text, run) => {
    run.spend(TIMED_STEPS)
    const began = performance.now()
    const found = run.patternMs > 0 ? matches(native, text, run.patternMs) : undefined
    run.patternMs -= performance.now() - began
    return found ?? limitReached('maxPatternMs', run.limits)
  }
}
