import { isObject } from '../jsonrpc/codec.ts'
import type { AnswerInput, ConfigInput } from './surroundings.ts'

/** The questions of one configuration. Each is asked once, whoever needs the answer. */
export class Inputs {
  readonly #inputs: ReadonlyMap<string, ConfigInput>
  readonly #ask: AnswerInput | undefined
  readonly #answers = new Map<string, Promise<string | undefined>>()

  /** `written` is the `inputs` of a file; what is none in it is left out. */
  constructor(written: unknown, ask: AnswerInput | undefined) {
    this.#inputs = new Map((Array.isArray(written) ? written : []).flatMap((each) => inputOf(each)).map((input) => [input.id, input]))
    this.#ask = ask
  }

  /** There is somebody to ask, or something to take. */
  canAnswer(id: string): boolean {
    return this.#ask !== undefined || this.#inputs.get(id)?.default !== undefined
  }

  /** What the file suggests, which is the answer where nobody is asked. */
  suggestion(id: string): string | undefined {
    return this.#inputs.get(id)?.default
  }

  answer(id: string): Promise<string | undefined> {
    const input = this.#inputs.get(id) ?? { id, password: true }
    const answer = this.#answers.get(id) ?? Promise.resolve(this.#ask === undefined ? input.default : this.#ask(input))
    this.#answers.set(id, answer)
    return answer
  }
}

function inputOf(written: unknown): ConfigInput[] {
  if (!isObject(written) || typeof written.id !== 'string') return []
  const { id, description, default: suggested, password, options } = written
  const values = Array.isArray(options) ? options.map((option) => (isObject(option) ? option.value : option)) : []
  return [
    {
      id,
      password: password === true,
      ...(typeof description === 'string' && { description }),
      ...(typeof suggested === 'string' && { default: suggested }),
      ...(values.length > 0 && { options: values.filter((value) => typeof value === 'string') }),
    },
  ]
}
