/** Between two polls, in ms, whatever the server asks for. */
const MIN_POLL_MS = 100
const MAX_POLL_MS = 300_000
/** Where the server does not say. */
const DEFAULT_POLL_MS = 1_000
/** Polls are never more frequent than the server wants, and a little apart from those of others. */
const JITTER = 0.1
/** Polls in a row that fail in passing before the waiting does. */
export const MAX_FAILED_POLLS = 8

/** How long to wait before a task is looked at again. */
export function pollPause(pollIntervalMs: number = DEFAULT_POLL_MS): number {
  return Math.min(Math.max(pollIntervalMs, MIN_POLL_MS) * (1 + JITTER * Math.random()), MAX_POLL_MS)
}
