/** The longest template and URI that are compared. */
const MAX_CHARS = 4_096

/**
 * Whether a URI may come from a template: its literal parts stand in the URI in their order, the first at the start and the last at the end.
 * @see spec server/resources
 */
export function mayMatch(template: string, uri: string): boolean {
  if (template.length > MAX_CHARS || uri.length > MAX_CHARS) return false
  const literals = template.split(/\{[^{}]*\}/)
  const [first = ''] = literals
  const last = literals.at(-1) ?? ''
  if (literals.length === 1) return template === uri
  if (!uri.startsWith(first) || !uri.endsWith(last) || uri.length < first.length + last.length) return false
  let at = first.length
  for (const literal of literals.slice(1, -1)) {
    const found = uri.indexOf(literal, at)
    if (found < 0) return false
    at = found + literal.length
  }
  return at <= uri.length - last.length
}
