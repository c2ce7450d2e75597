import type { AnswerInput, ServerDefinition } from 'mcp-switchboard/config'
import type { Reporter } from './reporter.ts'
import { oneLine } from './terminal-text.ts'
import { UsageError } from './usage-error.ts'

/** What a configuration may ask the person at the terminal. Without one nobody agrees, and an input has what it suggests. */
export interface ConfigQuestions {
  readonly agree: (server: ServerDefinition) => Promise<boolean>
  readonly input: AnswerInput | undefined
}

export function configQuestions(reporter: Reporter, signal: AbortSignal): ConfigQuestions {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    return {
      agree: async (server) => Promise.reject(new UsageError(wish(server), 'with --trust it is used without being asked for')),
      input: undefined,
    }
  }
  /** Stdout is for the result alone. */
  const common = { output: process.stderr, signal }
  return {
    agree: async (server) => {
      const { confirm } = await import('@clack/prompts')
      reporter.warn(wish(server))
      return (await confirm({ ...common, message: 'Do you trust it with that?', initialValue: false })) === true
    },
    input: async ({ id, description, default: suggested, options, password: secret }) => {
      const { password, select, text } = await import('@clack/prompts')
      const message = oneLine(description ?? id)
      const answer =
        options !== undefined
          ? await select({ ...common, message, options: options.map((value) => ({ value, label: oneLine(value) })) })
          : secret
            ? await password({ ...common, message })
            : await text({ ...common, message, ...(suggested !== undefined && { initialValue: suggested }) })
      return typeof answer === 'string' ? answer : undefined
    },
  }
}

/** What a server of a project's own file is about to do; the command is shown whole, however long it is. */
function wish({ name, kind, agreement, origin }: ServerDefinition): string {
  const what = kind === 'stdio' ? 'start' : 'send variables of this machine to'
  return `${origin.file} is a file of this project; its server "${oneLine(name)}" would ${what}: ${oneLine(agreement ?? '')}`
}
