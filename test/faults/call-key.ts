/** A key that no damage turns into another valid one: a server that gets a damaged key refuses it instead of running something else. */
export function callKey(name: string): string {
  return `${name}.${sum(name)}`
}

export function isCallKey(key: unknown): key is string {
  if (typeof key !== 'string') return false
  const dot = key.lastIndexOf('.')
  return dot > 0 && key.slice(dot + 1) === sum(key.slice(0, dot))
}

/** FNV-1a, as eight digits. */
function sum(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
