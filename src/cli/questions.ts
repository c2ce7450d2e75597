import { cancel, type ElicitAnswer, type ElicitationHandler, type ElicitRequest, type HandlerContext } from 'mcp-switchboard'
import type { Reporter } from './reporter.ts'
import { oneLine } from './terminal-text.ts'

/** Asks the person at the terminal what the server wants to know, one question after the other. Without a terminal: cancel, with a note. */
export function questions(reporter: Reporter): ElicitationHandler {
  let last: Promise<unknown> = Promise.resolve()
  return (request, context) => {
    if (!process.stdin.isTTY || !process.stderr.isTTY) {
      reporter.warn(`the server asked "${oneLine(request.message)}" and there is no terminal to answer in: answered with cancel`)
      return cancel()
    }
    const answer = last.then(() => asked(request, context, reporter))
    last = answer.catch(() => {})
    return answer
  }
}

async function asked(request: ElicitRequest, context: HandlerContext, reporter: Reporter): Promise<ElicitAnswer> {
  const give = reporter.takeTerminal()
  const { askForm, askVisit } = await import('./form.ts')
  process.stdin.on('keypress', interruptOnCtrlC)
  try {
    return request.mode === 'url' ? await askVisit(request, context) : await askForm(request, context)
  } finally {
    process.stdin.off('keypress', interruptOnCtrlC)
    give()
  }
}

/** A prompt reads single keys, so the terminal does not turn Ctrl-C into a signal meanwhile. */
function interruptOnCtrlC(_text: string | undefined, key: { readonly name?: string; readonly ctrl?: boolean }): void {
  if (key.ctrl === true && key.name === 'c') process.emit('SIGINT')
}
