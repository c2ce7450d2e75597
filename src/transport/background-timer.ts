/** A timer that alone does not keep the process alive, where the runtime knows the difference. */
export function backgroundTimer(run: () => void, ms: number): () => void {
  const timer: unknown = setTimeout(run, ms)
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref()
  return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0])
}
