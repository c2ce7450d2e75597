import { isArray, isObject, isText, names } from './json.ts'
import { limitReached, type Run } from './run.ts'

/** A text that two values share exactly when JSON Schema calls them equal. Texts stand behind their length, so that none can imitate another value. */
export function canonical(value: unknown, run: Run, depth = 0): string {
  run.spend(2)
  if (depth > run.limits.maxDepth) limitReached('maxDepth', run.limits)
  if (isText(value)) {
    run.spend(value.length >> 5)
    return `"${value.length}:${value}`
  }
  const each = (item: unknown): string => canonical(item, run, depth + 1)
  if (isArray(value)) return `[${value.map(each).join('')}]`
  if (!isObject(value)) return `${value ?? null},`
  const parts = names(value)
    .sort()
    .map((name) => each(name) + each(value[name]))
  return `{${parts.join('')}}`
}
