import type { InProcessServer } from '../transport/memory.ts'
import { type Bindings, difference, filled, parseTranscript } from './transcript.ts'

/** How a transcript is replayed. */
export interface ScriptedServerOptions {
  /** What the server is called in errors. Default `script`. */
  readonly name?: string | undefined
  /** How long `done` waits for the client's next message, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number | undefined
}

/** A server that says what a transcript says, and notes every difference of what the client says. */
export interface ScriptedServer extends InProcessServer {
  /** Each difference: the line, what was expected, and what came. Empty so far when all is well. */
  readonly problems: readonly string[]
  /** Resolves when the transcript has been played to its end; rejects at a difference, and when the client closes or stays silent before. */
  done(): Promise<void>
}

/**
 * Makes a server that replays a transcript, in order:
 *
 * ```text
 * # a comment
 * -> {"jsonrpc":"2.0","id":"$1","method":"ping"}     what the client must send
 * <- {"jsonrpc":"2.0","id":"$1","result":{}}         what the server then sends
 * <~ no JSON                                         a raw line of the server
 * <! exit                                            the server ends the conversation; what follows is the next one
 * ```
 *
 * Members may come in any order. In `->` the text `"$any"` fits every value, any other `"$name"` is bound to the value where it stands
 * first and must be the same later; in `<-` it is that value. A member named `"..."` lets its object have further members. `"$$x"` is the
 * text `$x`. The conversation ends at the first difference. A transcript that cannot be read is a `SyntaxError`.
 */
export function scriptedServer(transcript: string, options: ScriptedServerOptions = {}): ScriptedServer {
  const { name = 'script', timeoutMs = 5_000 } = options
  const steps = parseTranscript(transcript)
  const bindings: Bindings = new Map()
  const problems: string[] = []
  const waiting = new Set<() => void>()
  let at = 0
  let connection: { send(line: string): void; end(): void } | undefined

  const moved = (): void => {
    for (const look of [...waiting]) look()
  }
  const fail = (problem: string): void => {
    problems.push(problem)
    hangUp()
  }
  const hangUp = (): void => {
    const ending = connection
    connection = undefined
    ending?.end()
    moved()
  }
  /** Says what the server has to say before the client's next message. */
  const speak = () => {
    for (let step = steps[at]; connection !== undefined && step !== undefined && step.kind !== 'expect'; step = steps[at]) {
      at += 1
      if (step.kind === 'exit') return hangUp()
      try {
        connection.send(step.kind === 'raw' ? step.text : JSON.stringify(filled(step.value, bindings)))
      } catch (error) {
        return fail(`line ${step.line}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    moved()
  }
  const receive = (line: string) => {
    if (steps[at]?.kind !== 'expect') speak()
    if (connection === undefined) return
    const step = steps[at]
    if (step?.kind !== 'expect') return fail(`after the end of the transcript: got ${line}`)
    const path = difference(step.value, parsed(line), bindings)
    if (path !== undefined)
      return fail(`line ${step.line}: differs at ${path || 'the top'}\n  expected ${JSON.stringify(step.value)}\n  got      ${line}`)
    at += 1
    speak()
  }
  const outstanding = (why: string): string => {
    const step = steps[at]
    return `line ${step?.line}: ${why}\n  expected ${step?.kind === 'expect' ? JSON.stringify(step.value) : 'a connection'}`
  }

  return {
    name,
    problems,
    connect(send, end) {
      const own = { send, end }
      if (connection !== undefined) fail('the client connected again before the server ended the conversation')
      connection = own
      queueMicrotask(speak)
      return {
        receive: (line) => {
          if (connection === own) receive(line)
        },
        close() {
          if (connection !== own) return
          connection = undefined
          if (at < steps.length) problems.push(outstanding('the client closed'))
          moved()
        },
      }
    },
    done() {
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | undefined
        const look = (): void => {
          clearTimeout(timer)
          if (problems.length === 0 && at < steps.length) {
            timer = setTimeout(() => {
              problems.push(outstanding(`nothing came for ${timeoutMs} ms`))
              look()
            }, timeoutMs)
            return
          }
          waiting.delete(look)
          if (problems.length === 0) resolve()
          else reject(new Error(`the conversation is not that of the transcript\n${problems.join('\n')}`))
        }
        waiting.add(look)
        look()
      })
    },
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
