/** An object as JSON has it: neither null nor an array. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isNumber = (value: unknown): value is number => typeof value === 'number'
export const isArray: (value: unknown) => value is readonly unknown[] = Array.isArray
/** An object or an array. */
export const isCompound = (value: unknown): value is object => typeof value === 'object' && value !== null
export const isObject = (value: unknown): value is JsonObject => isCompound(value) && !isArray(value)

/** A property of the object itself, so that `constructor` and `__proto__` are ordinary names. */
export function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

// A set: asking an object whether it has one of very many names makes the engine keep each of them.
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** How `own` reads one name, quickly where it can. An `undefined` property is absent, as in JSON. */
export function reader(name: string): (object: JsonObject) => unknown {
  return INHERITED.has(name) ? (object) => own(object, name) : (object) => object[name]
}

/** The names of the properties that are there. */
export function names(object: JsonObject): string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined)
}

/** A JSON Pointer one token longer. */
export function step(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
