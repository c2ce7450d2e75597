import { RpcError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/codec.ts'
import { INVALID_PARAMS } from '../../jsonrpc/error-code.ts'
import type { Params } from '../../jsonrpc/message.ts'
import { type Call, sleep, ToolFailure } from './call.ts'
import { everyKind, ICONS, text } from './content.ts'
import { MAX_DELAY_MS, MAX_STEPS } from './limits.ts'
import { confirmation, form, rootsList, sampling, visitPage } from './questions.ts'
import { fitDefinition } from './revision.ts'

/** Log levels, the least severe first. */
export const LOG_LEVELS: readonly string[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

interface DemoTool {
  readonly definition: Params
  /** May run as a task. */
  readonly task?: true
  /** Arguments that modern HTTP clients mirror: the argument's name to the header's, without `Mcp-Param-`. */
  readonly headers?: Readonly<Record<string, string>>
  run(args: Params, call: Call): Promise<Params> | Params
}

const string = (description: string, more: Params = {}): Params => ({ type: 'string', description, ...more })
const integer = (description: string, maximum: number, more: Params = {}): Params => ({
  type: 'integer',
  minimum: 0,
  maximum,
  description,
  ...more,
})
const flag = (description: string): Params => ({ type: 'boolean', default: false, description })
const object = (properties: Params, required: readonly string[] = []): Params => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
const READS: Params = { readOnlyHint: true, openWorldHint: false }
const structured = (value: Params): Params => ({ content: [text(JSON.stringify(value))], structuredContent: value })

const TOOLS: Readonly<Record<string, DemoTool>> = {
  echo: {
    definition: {
      title: 'Echo',
      description: 'Answers with the message.',
      icons: ICONS,
      inputSchema: object({ message: string('What to say'), region: string('Ignored; shows how arguments are mirrored into headers') }, [
        'message',
      ]),
      annotations: { ...READS, idempotentHint: true },
      _meta: { 'com.example/kind': 'demo' },
    },
    headers: { region: 'Region' },
    run: (args) => ({ content: [text(String(args.message))] }),
  },
  add: {
    definition: {
      title: 'Add',
      description: 'Adds two numbers.',
      inputSchema: object({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
      outputSchema: object({ sum: { type: 'number' } }, ['sum']),
      annotations: { ...READS, idempotentHint: true },
    },
    run: (args) => structured({ sum: Number(args.a) + Number(args.b) }),
  },
  slow: {
    definition: {
      title: 'Slow',
      description: 'Works step by step and tells its progress.',
      inputSchema: object({
        steps: integer('How many', MAX_STEPS, { default: 5 }),
        delayMs: integer('Milliseconds of each step', MAX_DELAY_MS, { default: 100 }),
      }),
      annotations: READS,
    },
    async run(args, call) {
      const { steps = 5, delayMs = 100 } = args
      for (let step = 1; step <= Number(steps); step++) {
        if (Number(delayMs) > 0 || step % 64 === 0) await sleep(Number(delayMs), call.signal)
        call.progress(step, Number(steps), `step ${step} of ${steps}`)
      }
      return { content: [text(`${steps} steps done`)] }
    },
  },
  fail: {
    definition: { title: 'Fail', description: 'Always fails.', inputSchema: object({}), annotations: READS },
    run() {
      throw new ToolFailure('this tool always fails')
    },
  },
  media: {
    definition: {
      title: 'Media',
      description: 'Answers with one block of every content kind.',
      inputSchema: object({}),
      annotations: READS,
    },
    run: (_args, call) => ({ content: everyKind(call.features), _meta: { 'com.example/kind': 'demo' } }),
  },
  log: {
    definition: {
      title: 'Log',
      description: 'Sends two log messages, one text and one object.',
      inputSchema: object({ level: string('Severity', { enum: LOG_LEVELS, default: 'info' }) }),
      annotations: READS,
    },
    run(args, call) {
      const { level = 'info' } = args
      call.log(String(level), `a message of level ${level}`)
      call.log(String(level), { level, about: 'an object' })
      return { content: [text(`logged at ${level}`)] }
    },
  },
  ask: {
    definition: {
      title: 'Ask',
      description: 'Asks for a name and an age with a form.',
      inputSchema: object({
        confirm: string('A second form: in a further round, or beside the first', { enum: ['no', 'then', 'together'], default: 'no' }),
      }),
      outputSchema: object({ action: { type: 'string' }, content: { type: 'object' }, confirmed: { type: 'boolean' } }, ['action']),
      annotations: READS,
    },
    async run({ confirm = 'no' }, call) {
      const first = call.ask('person', form(call.features))
      const second = confirm === 'together' ? call.ask('confirmation', confirmation(call.features)) : undefined
      const [{ action, content }, beside] = await Promise.all([first, second])
      const answer = confirm === 'then' && action === 'accept' ? await call.ask('confirmation', confirmation(call.features)) : beside
      return structured({
        action,
        ...(isObject(content) && { content }),
        ...(answer !== undefined && { confirmed: answer.action === 'accept' }),
      })
    },
  },
  visit: {
    definition: {
      title: 'Visit',
      description: 'Asks the user to open a page.',
      inputSchema: object({ required: flag('2025-11-25: refuse the first call with the error that demands the visit') }),
      outputSchema: object({ action: { type: 'string' } }, ['action']),
    },
    async run(args, call) {
      const page = visitPage(call.features)
      if (args.required === true && call.features.coreTasks) {
        if (call.memory.delete('visit')) return structured({ action: 'accept' })
        call.memory.add('visit')
        call.elicitationDone(page.id)
        throw new RpcError(-32042, 'open the page first', { elicitations: [page.question.params] })
      }
      const { action } = await call.ask('page', page.question)
      if (action === 'accept') call.elicitationDone(page.id)
      return structured({ action })
    },
  },
  summarize: {
    definition: {
      title: 'Summarize',
      description: "Has the client's model summarize a text.",
      inputSchema: object({ text: string('What to summarize', { default: 'The quick brown fox jumps over the lazy dog.' }) }),
      annotations: { readOnlyHint: true },
    },
    async run(args, call) {
      const answer = await call.ask('summary', sampling(String(args.text ?? 'The quick brown fox jumps over the lazy dog.')))
      const { content } = answer
      const block = Array.isArray(content) ? content.find((item) => isObject(item) && item.type === 'text') : content
      return { content: [text(isObject(block) && typeof block.text === 'string' ? block.text : '(no text)')] }
    },
  },
  workspace: {
    definition: { title: 'Workspace', description: "Lists the client's roots.", inputSchema: object({}), annotations: READS },
    async run(_args, call) {
      const { roots } = await call.ask('roots', rootsList)
      const uris = Array.isArray(roots) ? roots.map((root: unknown) => (isObject(root) ? String(root.uri) : '?')) : []
      return { content: uris.length === 0 ? [text('no roots')] : uris.map(text) }
    },
  },
  job: {
    definition: {
      title: 'Job',
      description: 'Works for a while, as a task where the client can follow one.',
      inputSchema: object({
        ms: integer('Milliseconds', MAX_DELAY_MS, { default: 1_000 }),
        confirm: flag('Ask with a form before the end'),
      }),
    },
    task: true,
    async run(args, call) {
      const { ms = 1_000, confirm } = args
      await sleep(Number(ms), call.signal)
      const outcome = confirm === true ? await call.ask('confirmation', confirmation(call.features)) : undefined
      return { content: [text(outcome === undefined ? `worked ${ms} ms` : `worked ${ms} ms, ${outcome.action}`)] }
    },
  },
  broken: {
    definition: {
      title: 'Broken',
      description: 'Declares an output schema and violates it.',
      inputSchema: object({}),
      outputSchema: object({ count: { type: 'integer' } }, ['count']),
      annotations: READS,
    },
    run: () => structured({ count: 'three' }),
  },
}

/** The definitions as the revision has them. */
export function toolDefinitions(version: string, modern: boolean, coreTasks: boolean): Params[] {
  return Object.entries(TOOLS).map(([name, tool]) => ({
    name,
    ...fitDefinition(tool.definition, version),
    ...(modern && tool.headers !== undefined && { inputSchema: mirrored(tool.definition.inputSchema, tool.headers) }),
    ...(coreTasks && tool.task && { execution: { taskSupport: 'optional' } }),
  }))
}

function mirrored(schema: unknown, headers: Readonly<Record<string, string>>): unknown {
  if (!isObject(schema) || !isObject(schema.properties)) return schema
  const properties = Object.entries(schema.properties).map(([key, property]) => {
    const header = headers[key]
    return [key, header === undefined || !isObject(property) ? property : { ...property, 'x-mcp-header': header }]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** The tool that `params` of `tools/call` name. */
export function toolFor(params: Params): DemoTool {
  const { name } = params
  const tool = typeof name === 'string' && Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  if (tool === undefined) throw new RpcError(INVALID_PARAMS, `unknown tool ${JSON.stringify(name)}`)
  return tool
}

/** The arguments of a tool that are mirrored into headers, with the header's name behind `Mcp-Param-`. */
export function headersOf(name: unknown): Readonly<Record<string, string>> {
  return (typeof name === 'string' && Object.hasOwn(TOOLS, name) ? TOOLS[name]?.headers : undefined) ?? {}
}

/** Runs `tools/call`: a tool that fails is a result. */
export async function callTool(params: Params, call: Call): Promise<Params> {
  const tool = toolFor(params)
  const args = params.arguments ?? {}
  if (!isObject(args)) throw new RpcError(INVALID_PARAMS, 'arguments must be an object')
  try {
    const problem = argumentProblem(tool.definition.inputSchema, args)
    if (problem !== undefined) throw new ToolFailure(problem)
    const { structuredContent, ...result } = await tool.run(args, call)
    return call.features.structured && structuredContent !== undefined ? { ...result, structuredContent } : result
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error
    return { content: [text(error.message)], isError: true }
  }
}

function argumentProblem(schema: unknown, args: Params): string | undefined {
  if (!isObject(schema) || !isObject(schema.properties)) return undefined
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = args[name]
    if (value === undefined) {
      if (required.includes(name)) return `the argument "${name}" is required`
      continue
    }
    if (!isObject(property)) continue
    const { type, enum: values, minimum, maximum } = property
    if (type === 'integer' ? !Number.isSafeInteger(value) : typeof value !== type) return `the argument "${name}" must be of type ${type}`
    if (Array.isArray(values) && !values.includes(value)) return `the argument "${name}" must be one of ${values.join(', ')}`
    if (typeof minimum === 'number' && Number(value) < minimum) return `the argument "${name}" must be at least ${minimum}`
    if (typeof maximum === 'number' && Number(value) > maximum) return `the argument "${name}" must be at most ${maximum}`
  }
  return undefined
}
