import type { Run } from './run.ts'

/** An object as JSON has it: neither null nor an array. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A property of the object itself, so that `constructor` and `__proto__` are ordinary names. */
export function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** A text that two values share exactly when JSON Schema calls them equal. Texts stand behind their length, so that none can imitate another value. */
export function canonical(value: unknown, run: Run): string {
  if (typeof value === 'string') {
    run.spend(1 + (value.length >> 5))
    return `"${value.length}:${value}`
  }
  if (typeof value !== 'object' || value === null) {
    run.spend(1)
    return `${value ?? null},`
  }
  const seen = run.enter(2)
  let text = Array.isArray(value) ? '[' : '{'
  if (Array.isArray(value)) for (const item of value) text += canonical(item, run)
  else if (isObject(value)) {
    for (const name of Object.keys(value).sort())
      if (value[name] !== undefined) text += `${name.length}:${name}=${canonical(value[name], run)}`
  }
  run.leave(seen, true)
  return `${text}]`
}

/** Whether the quotient is a whole number, in exact decimal arithmetic where doubles would round: 0.0075 is a multiple of 0.0001. */
export function isMultiple(value: number, of: number, run: Run): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  if (!Number.isFinite(value)) return false
  run.spend(50)
  const [digits, exponent] = decimal(value)
  const [ofDigits, ofExponent] = decimal(of)
  const shared = Math.min(exponent, ofExponent)
  return (digits * 10n ** BigInt(exponent - shared)) % (ofDigits * 10n ** BigInt(ofExponent - shared)) === 0n
}

function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '', exponent] = value.toExponential().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
