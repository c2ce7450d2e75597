/** Names that differ by no more than a third of their letters, the closest first. */
export function closest(wanted: string, names: Iterable<string>, most = 3): string[] {
  const scored: { name: string; distance: number }[] = []
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) > MAX_DISTANCE || wanted.length > MAX_CHARS) continue
    const distance = editDistance(wanted.toLowerCase(), name.toLowerCase())
    if (distance <= Math.max(1, Math.min(MAX_DISTANCE, Math.floor(wanted.length / 3)))) scored.push({ name, distance })
  }
  return scored
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ name }) => name)
}

const MAX_DISTANCE = 8
const MAX_CHARS = 128

/** Letters changed, added, left out or swapped with their neighbour, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  let before: number[] = []
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
