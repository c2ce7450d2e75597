import { limitReached, type Run } from '../run.ts'
import { loadRe2, type Matcher, re2Loaded, re2Matcher, timedMatcher } from './engines.ts'
import { linearCost } from './linear.ts'
import { forRe2, mended, parse } from './syntax.ts'

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
    const loaded = await loadRe2()
    // Only now: whoever asks in between waits for the same engine.
    this.waiting = false
    this.known.clear()
    return loaded
  }

  private prepare(source: string): Pattern {
    const native = expressionOf(source, 'u') ?? expressionOf(mended(source), 'u') ?? expressionOf(source, '')
    if (native === undefined) return unchecked('is not a regular expression')
    if (native.unicode) {
      const strict = native.source
      const shape = parse(strict)
      const cost = shape && linearCost(shape)
      if (cost !== undefined) return charged((text) => native.test(text), cost)
      const translated = forRe2(strict)
      this.waiting ||= translated !== undefined && !re2Loaded()
      if (translated !== undefined && !re2Loaded()) return unchecked('needs an engine that is not loaded')
      const matches = translated === undefined ? undefined : re2Matcher(translated)
      if (matches) return charged(matches, 2 * source.length)
    }
    return withTimeLimit(native)
  }
}

function expressionOf(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}

function unchecked(why: string): Pattern {
  return (_text, run, place) => {
    run.unknown(`${place()} was not checked: the pattern ${why}`)
    return undefined
  }
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
    // The engine looks at the clock only when it backtracks: how much it may do in between grows with the text.
    run.spend(TIMED_STEPS + Math.floor(text.length ** 2 / 256))
    const began = performance.now()
    const found = run.patternMs > 0 ? matches(native, text, run.patternMs) : undefined
    run.patternMs -= performance.now() - began
    return found ?? limitReached('maxPatternMs', run.limits)
  }
}
