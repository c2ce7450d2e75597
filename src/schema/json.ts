import type { Run } from './run.ts'

/** An object as JSON has it: neither null nor an array. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A property of the object itself, so that `constructor` and `__proto__` are ordinary names. */
export function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** A text that two values share exactly when JSON Schema calls them equal. Costs a step for each part and each 16 characters. */
export function canonical(value: unknown, run: Run): string {
  if (typeof value === 'string') run.spend(1 + (value.length >> 4))
  else run.spend(1)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  run.descend()
  const parts = Array.isArray(value)
    ? value.map((item: unknown) => canonical(item, run))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, item]) => `${JSON.stringify(name)}:${canonical(item, run)}`)
  run.ascend()
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`
}

/** Whether the quotient is a whole number, in exact decimal arithmetic where doubles would round: 0.0075 is a multiple of 0.0001. */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = decimal(value)
  const [ofDigits, ofExponent] = decimal(of)
  const shared = Math.min(exponent, ofExponent)
  return (digits * 10n ** BigInt(exponent - shared)) % (ofDigits * 10n ** BigInt(ofExponent - shared)) === 0n
}

function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
