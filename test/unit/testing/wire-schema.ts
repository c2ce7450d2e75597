import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Schema from 'typebox/schema'

const FOLDER = join(process.env.SWITCHBOARD_SHARED ?? '../shared', 'schemas')

/** Why messages cannot be checked against the specification's schemas; undefined when they can. */
export const schemasMissing: string | undefined = existsSync(FOLDER) ? undefined : `no folder ${FOLDER}`

const RESULTS: Record<string, string> = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  ping: 'EmptyResult',
  'logging/setLevel': 'EmptyResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'completion/complete': 'CompleteResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
  'tasks/get': 'GetTaskResult',
  'tasks/list': 'ListTasksResult',
  'tasks/cancel': 'CancelTaskResult',
  'tasks/result': 'CallToolResult',
}

type Message = Readonly<Record<string, unknown>>

/** A checker of server messages of one revision: the problems of a message, where a response says which method it answers. */
export function wireSchema(version: string): (message: Message, method?: string) => string[] {
  if (schemasMissing !== undefined) return () => []
  const document = JSON.parse(readFileSync(join(FOLDER, `${version}.json`), 'utf8'))
  const key = '$defs' in document ? '$defs' : 'definitions'
  const compiled = new Map<string, ReturnType<typeof Schema.Compile>>()
  const check = (name: string, value: unknown): string[] => {
    if (!(name in document[key])) return [`${version} has no ${name}`]
    const validator = compiled.get(name) ?? Schema.Compile({ ...document, $ref: `#/${key}/${name}` })
    compiled.set(name, validator)
    const [ok, errors] = validator.Errors(value)
    return ok ? [] : errors.map((error) => `${name}${error.instancePath}: ${error.message}`)
  }
  return (message, method) => {
    if ('method' in message) {
      if ('id' in message) return [...check('JSONRPCRequest', message), ...check('ServerRequest', message)]
      const core = message.method === 'notifications/tasks' ? 'JSONRPCNotification' : 'ServerNotification'
      return [...check('JSONRPCNotification', message), ...check(core, message)]
    }
    if ('error' in message) return check('JSONRPCErrorResponse' in document[key] ? 'JSONRPCErrorResponse' : 'JSONRPCError', message)
    const result = Object(message.result)
    if (result.resultType === 'input_required') return check('InputRequiredResult', result)
    if (result.resultType === 'task' || (result.resultType !== undefined && method?.startsWith('tasks/'))) return check('Result', result)
    if (method === 'tools/call' && result.task !== undefined) return check('CreateTaskResult', result)
    return check(RESULTS[method ?? ''] ?? 'Result', result)
  }
}
