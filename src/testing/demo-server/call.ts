import { isObject } from '../../jsonrpc/codec.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { SKILLS_EXTENSION } from '../../protocol/extension-ids.ts'
import type { Features } from './revision.ts'

/** One question to the client: `elicitation/create`, `sampling/createMessage` or `roots/list`. */
export interface Question {
  readonly method: string
  readonly params?: Params
  /** The client capabilities that it needs. */
  readonly needs: Params
}

/** What a tool may use while it runs. It cannot tell the eras or the transports apart, but for `features`. */
export interface Call {
  readonly features: Features
  readonly signal: AbortSignal
  /** Told only to a client that asked for progress. */
  progress(progress: number, total: number, message: string): void
  /** Told only to a client that wants this level. */
  log(level: string, data: unknown): void
  /** The client's answer. `key` is unique within the call. In the modern era the tool is run again from the start with the answers so far. */
  ask(key: string, question: Question): Promise<Params>
  /** What tools remember between the calls of one legacy conversation. */
  readonly memory: Set<string>
  /** Tells that what the user did elsewhere is done, in the revision that has a word for it. */
  elicitationDone(elicitationId: string): void
}

/** The tool failed: the client gets a result with `isError` and this text. */
export class ToolFailure extends Error {}

/** Whether `capabilities` cover `needs`. An empty `elicitation` means forms. */
export function declares(capabilities: Params, needs: Params): boolean {
  return Object.entries(needs).every(([name, wanted]) => {
    const declared = capabilities[name]
    if (!isObject(declared)) return false
    if (name !== 'elicitation' || !isObject(wanted)) return true
    return Object.keys(wanted).every((mode) => declared[mode] !== undefined || (mode === 'form' && declared.url === undefined))
  })
}

/** The extension that a method belongs to, if the client must declare it first. */
export function extensionOf(method: string): string | undefined {
  return method.startsWith('skills/') ? SKILLS_EXTENSION : undefined
}

/** Whether one side declares an extension. */
export function hasExtension({ extensions }: Params, id: string): boolean {
  return isObject(extensions) && extensions[id] !== undefined
}

/** Waits, unless the call is cancelled; then it throws. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
