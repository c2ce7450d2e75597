import type { JSONSchema } from 'mcp-switchboard'
import { oneLine } from './terminal-text.ts'

/** What the specification allows in the answer to a form. */
export type FieldValue = string | number | boolean | string[]

/** One field of a form, ready to be asked for. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly required: boolean
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'choices'
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly initial: FieldValue | undefined
  readonly schema: Readonly<Record<string, unknown>>
}

/** The fields of the schema of a form, in its order. @see spec client/elicitation, requested schema */
export function fieldsOf(schema: JSONSchema): Field[] {
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(isObject(schema.properties) ? schema.properties : {}).map(([name, property]) => {
    const own = isObject(property) ? property : {}
    const items = isObject(own.items) ? own.items : {}
    const choices = own.type === 'array' ? choicesOf(items) : choicesOf(own)
    const title = typeof own.title === 'string' ? own.title : name
    const description = typeof own.description === 'string' ? `: ${own.description}` : ''
    return {
      name,
      label: oneLine(title + description),
      required: required.includes(name),
      kind: kindOf(own.type, choices.length > 0),
      choices,
      initial: initialOf(own.default),
      schema: own,
    }
  })
}

/** Why a text is not accepted for a field. */
export function textProblem({ schema }: Field, value: string): string | undefined {
  const { length } = [...value]
  if (typeof schema.minLength === 'number' && length < schema.minLength) return `at least ${schema.minLength} characters`
  if (typeof schema.maxLength === 'number' && length > schema.maxLength) return `at most ${schema.maxLength} characters`
  return undefined
}

/** Why a text is not accepted for a number. */
export function numberProblem({ schema }: Field, text: string): string | undefined {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return 'a number, please'
  if (schema.type === 'integer' && !Number.isSafeInteger(value)) return 'a whole number, please'
  if (typeof schema.minimum === 'number' && value < schema.minimum) return `at least ${schema.minimum}`
  if (typeof schema.maximum === 'number' && value > schema.maximum) return `at most ${schema.maximum}`
  return undefined
}

function kindOf(type: unknown, hasChoices: boolean): Field['kind'] {
  if (hasChoices) return type === 'array' ? 'choices' : 'choice'
  if (type === 'boolean') return 'boolean'
  return type === 'number' || type === 'integer' ? 'number' : 'text'
}

/** `enum` with or without `enumNames`, or titled values in `oneOf` and `anyOf`. */
function choicesOf(schema: Readonly<Record<string, unknown>>): { value: string; label: string }[] {
  const { enum: values, enumNames } = schema
  if (Array.isArray(values)) {
    const names: unknown[] = Array.isArray(enumNames) ? enumNames : []
    return values.map((value, index) => ({ value: String(value), label: oneLine(String(names[index] ?? value)) }))
  }
  const titled: unknown[] = [schema.oneOf, schema.anyOf].find((each) => Array.isArray(each)) ?? []
  return titled.flatMap((each) =>
    isObject(each) && typeof each.const === 'string' ? [{ value: each.const, label: oneLine(String(each.title ?? each.const)) }] : [],
  )
}

function initialOf(value: unknown): FieldValue | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
