/** Every result is complete. An empty cursor ends a list, as servers of this era use it. */
export function decode(): undefined {
  return undefined
}

export function endsList(cursor: unknown): boolean {
  return typeof cursor !== 'string' || cursor === ''
}
