const listening = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>()

/**
 * Calls `listener` when the signal aborts, at most once. All who wait for one signal share one listener on it: many parallel calls with the
 * same signal are ordinary, and runtimes take more than ten listeners for a leak. Returns what ends the waiting.
 */
export function onAbort(signal: AbortSignal, listener: (reason: unknown) => void): () => void {
  const known = listening.get(signal)
  const waiting = known ?? new Set<(reason: unknown) => void>()
  if (known === undefined) listening.set(signal, waiting)
  if (waiting.size === 0) signal.addEventListener('abort', tell)
  // Two waiters may share a function; each is told.
  const own = (reason: unknown): void => listener(reason)
  waiting.add(own)
  return () => {
    if (waiting.delete(own) && waiting.size === 0) signal.removeEventListener('abort', tell)
  }
}

function tell(this: AbortSignal): void {
  const waiting = listening.get(this) ?? []
  for (const listener of [...waiting]) listener(this.reason)
}
