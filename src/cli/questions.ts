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

async function asked(request: ElicitRequest, { signal }: HandlerContext, reporter: Reporter): Promise<ElicitAnswer> {
  const give = reporter.takeTerminal()
  try {
    const { askForm, askVisit } = await import('./form.ts')
    return request.mode === 'url' ? await askVisit(request, signal) : await askForm(request, signal)
  } finally {
    give()
  }
}
