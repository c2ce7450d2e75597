import { describe, expect, it } from 'vitest'
import { ConnectionError, type Outcome } from '../../src/index.ts'
import { callKey } from './call-key.ts'
import type { Report } from './conversation.ts'
import { CountingServer } from './counting-server.ts'
import { Faults } from './faulty-stream.ts'
import { broken } from './invariants.ts'
import type { Step } from './steps.ts'

// What would be found if it happened: a check that cannot fail proves nothing.

const KEY = callKey('k')

function report(step: Partial<Step>, ran: number, left: readonly string[] = []): Report {
  const counting = new CountingServer('legacy')
  counting.executions.set(KEY, ran)
  return {
    plan: { index: 0, scenario: { way: 'json', era: 'legacy' }, faults: [], deaf: false, restart: false, repeats: false },
    steps: [{ what: 'call plain', key: KEY, end: 'resolved', value: { text: `ran ${KEY}` }, ms: 1, ...step }],
    counting,
    faults: new Faults([], () => {}),
    givenUp: new Error('given up'),
    left,
  }
}

const failed = (outcome: Outcome | undefined): Partial<Step> => ({
  end: 'rejected',
  error: new ConnectionError({ kind: 'stream', message: 'broke' }, { outcome }),
})

describe('the judgement of a conversation', () => {
  it.each<[string, Report]>([
    ['a call that ran once and resolved', report({}, 1)],
    ['a call that may have run', report(failed('unknown'), 1)],
    ['a call that did not run', report(failed('not-run'), 0)],
  ])('accepts %s', (_name, each) => {
    expect(broken(each)).toEqual([])
  })

  it.each<[string, Report, RegExp]>([
    ['a tool that ran twice', report({}, 2), /ran 2 times/],
    ['a result of nothing', report({}, 0), /never ran/],
    ['the result of another call', report({ value: { text: 'ran other' } }, 1), /resolved with/],
    ['a call that ran although it says it did not', report(failed('not-run'), 1), /as not run, but it ran/],
    ['an answer that the server never gave', report(failed('answered'), 1), /never answered/],
    ['an error without an outcome', report(failed(undefined), 0), /without an outcome/],
    ['an error that is none of ours', report({ end: 'rejected', error: new TypeError('x') }, 0), /TypeError/],
    ['a promise that hangs', report({ end: 'hung' }, 0), /did not settle/],
    ['what is left behind', report({}, 1, ['the process 1']), /left behind/],
  ])('finds %s', (_name, each, problem) => {
    expect(broken(each).join()).toMatch(problem)
  })
})
