/** Bounds of the demo server. What exceeds one is refused with an error. */
export const MAX_MESSAGE_BYTES: number = 8 * 1024 * 1024
/** Requests that one conversation has running at once. */
export const MAX_RUNNING = 1_000
/** Questions to one client that wait for an answer at once. */
export const MAX_QUESTIONS = 100
/** Unfinished `input_required` rounds; the oldest is forgotten. */
export const MAX_ROUNDS = 1_000
/** Tasks kept; the oldest that has ended is forgotten, and when none has, a new one is refused. */
export const MAX_TASKS = 1_000
export const MAX_TASK_TTL_MS = 3_600_000
export const DEFAULT_TASK_TTL_MS = 300_000
/** `steps` of the tool `slow`. */
export const MAX_STEPS = 100_000
/** `delayMs` of the tool `slow`, `ms` of the tool `job`. */
export const MAX_DELAY_MS = 600_000
/** HTTP sessions; the oldest is ended. */
export const MAX_SESSIONS = 1_000
/** Streams that one HTTP session keeps for resumption; the oldest that has ended is forgotten. */
export const MAX_STREAMS = 256
/** Events that one stream keeps for resumption or for a reader who comes later; the oldest is forgotten. */
export const MAX_REPLAY_EVENTS = 1_000
/** Bytes written to a reader who does not read. Beyond it the reader is cut off. */
export const MAX_UNREAD_BYTES: number = 64 * 1024 * 1024
