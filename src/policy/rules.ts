import { isObject } from '../jsonrpc/codec.ts'
import type { Tool } from '../protocol/types.ts'
import { glob } from './glob.ts'

/** What a rule is about. */
export interface Subject {
  readonly kind: 'tool' | 'prompt' | 'resource'
  /** The server's own name for it; of a resource its URI, of a template its text. */
  readonly name: string
  readonly server: string
  /** Of a tool that the server lists: its newest definition. */
  readonly definition: Tool | undefined
}

/** A pattern (`*`, `?`, `{a,b}`) or a condition. */
export type Rule = string | ((subject: Subject) => boolean)

/** Rules for tools, or for each kind. */
export type Rules =
  | Rule
  | readonly Rule[]
  | {
      readonly tools?: Rule | readonly Rule[] | undefined
      readonly prompts?: Rule | readonly Rule[] | undefined
      readonly resources?: Rule | readonly Rule[] | undefined
    }

/** What is let through and what is kept back. */
export interface AllowDeny {
  /** Only what one of these fits. Kinds without rules are let through. */
  readonly allow?: Rules | undefined
  /** Not what one of these fits, whatever `allow` says. */
  readonly deny?: Rules | undefined
}

/** A name beyond it fits no rule of `allow` and every rule of `deny`. */
export const MAX_NAME_CHARS = 8_192

export type Test = (subject: Subject) => boolean
const MEMBERS = { tool: 'tools', prompt: 'prompts', resource: 'resources' } as const

/** One condition for all rules; undefined when there are none. @throws TypeError for what is no rule. */
export function allowed({ allow, deny }: { readonly [Name in keyof AllowDeny]?: unknown }): Test | undefined {
  const allows = byKind(allow, 'allow')
  const denies = byKind(deny, 'deny')
  if (allows === undefined && denies === undefined) return undefined
  return (subject) => {
    const letThrough = allows?.[subject.kind]
    const keptBack = denies?.[subject.kind]
    if (subject.name.length > MAX_NAME_CHARS) return letThrough === undefined && keptBack === undefined
    return (letThrough === undefined || letThrough(subject)) && !(keptBack?.(subject) ?? false)
  }
}

function byKind(rules: unknown, option: string): Readonly<Record<Subject['kind'], Test | undefined>> | undefined {
  if (rules === undefined) return undefined
  if (!isObject(rules)) return { tool: either(rules, option), prompt: undefined, resource: undefined }
  const surplus = Object.keys(rules).find((key) => !Object.values<string>(MEMBERS).includes(key))
  if (surplus !== undefined) throw new TypeError(`the option ${option} has rules for tools, prompts and resources, not for ${surplus}`)
  const of = (kind: Subject['kind']): Test | undefined => {
    const own = rules[MEMBERS[kind]]
    return own === undefined ? undefined : either(own, `${option}.${MEMBERS[kind]}`)
  }
  return { tool: of('tool'), prompt: of('prompt'), resource: of('resource') }
}

/** Some rule fits. */
function either(rules: unknown, option: string): Test {
  const tests = (Array.isArray(rules) ? rules : [rules]).map((rule: unknown) => test(rule, option))
  return (subject) => tests.some((each) => each(subject))
}

function test(rule: unknown, option: string): Test {
  if (typeof rule === 'function') return (subject) => Boolean(rule(subject))
  if (typeof rule !== 'string') throw new TypeError(`the option ${option} must hold patterns and functions, not ${typeof rule}`)
  const fits = glob(rule)
  // A name may hold what patterns give a meaning to.
  return ({ name }) => name === rule || fits(name)
}
