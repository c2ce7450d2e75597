/**
 * Ten letters and digits that stand for a text: two 32-bit FNV-1a hashes side by side. For telling names apart, not against forgery: who can
 * choose a name can find another with the same letters.
 */
export function shortHash(text: string): string {
  let left = 0x811c9dc5
  let right = 0x9747b28c
  for (const byte of new TextEncoder().encode(text)) {
    left = Math.imul(left ^ byte, 0x01000193)
    right = Math.imul(right ^ byte ^ (left >>> 13), 0x01000193)
  }
  const value = (BigInt(mixed(left)) << 32n) | BigInt(mixed(right))
  return (value % SPACE).toString(36).padStart(LETTERS, '0')
}

export const LETTERS = 10
const SPACE = 36n ** BigInt(LETTERS)

/** Short texts move only the low bits; this spreads them. */
function mixed(hash: number): number {
  let value = hash ^ (hash >>> 16)
  value = Math.imul(value, 0x85ebca6b)
  value ^= value >>> 13
  value = Math.imul(value, 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
