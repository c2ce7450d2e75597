import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Schema from 'typebox/schema'
import type { Message } from './fake-server.ts'

const FOLDER = join(process.env.SWITCHBOARD_SHARED ?? '../shared', 'schemas')

/** Why messages cannot be checked against the specification's schemas; undefined when they can. */
export const schemasMissing: string | undefined = existsSync(FOLDER)
  ? undefined
  : `no folder ${FOLDER}: set SWITCHBOARD_SHARED to where the specification's schemas are`

/** The definition of each answer, by the method that it answers. */
const ANSWERS: Record<string, string> = {
  'roots/list': 'ListRootsResult',
  'sampling/createMessage': 'CreateMessageResult',
  'elicitation/create': 'ElicitResult',
}

/**
 * A checker of what a client sends in one revision: the problems of a message. `answers` is the method of the server's request that a
 * response answers.
 */
export function clientSchema(version: string): (message: Message, answers?: string) => string[] {
  const document = readDocument(version)
  const definitions = document.$defs ?? document.definitions
  const where = document.$defs === undefined ? 'definitions' : '$defs'
  const compiled = new Map<string, ReturnType<typeof Schema.Compile>>()
  const check = (name: string, value: unknown): string[] => {
    if (!(name in definitions)) return [`${version} has no ${name}`]
    const validator = compiled.get(name) ?? Schema.Compile({ ...document, $ref: `#/${where}/${name}` })
    compiled.set(name, validator)
    const [ok, errors] = validator.Errors(value)
    return ok ? [] : errors.map((error) => `${name}${error.instancePath}: ${error.message}`)
  }
  return (message, answers) => {
    if (message.method !== undefined) {
      if (message.id === undefined) return [...check('JSONRPCNotification', message), ...check('ClientNotification', message)]
      return [...check('JSONRPCRequest', message), ...check('ClientRequest', message), ...inputResponses(message, check)]
    }
    if ('error' in message) return check('JSONRPCErrorResponse' in definitions ? 'JSONRPCErrorResponse' : 'JSONRPCError', message)
    const envelope = 'JSONRPCResultResponse' in definitions ? 'JSONRPCResultResponse' : 'JSONRPCResponse'
    return [...check(envelope, message), ...check(ANSWERS[answers ?? ''] ?? 'EmptyResult', message.result)]
  }
}

function inputResponses(message: Message, check: (name: string, value: unknown) => string[]): string[] {
  const { inputResponses: given } = (message.params ?? {}) as { inputResponses?: unknown }
  return given === undefined ? [] : check('InputResponses', given)
}

interface SchemaDocument {
  readonly $defs?: Record<string, unknown>
  readonly definitions: Record<string, unknown>
}

function readDocument(version: string): SchemaDocument {
  return JSON.parse(readFileSync(join(FOLDER, `${version}.json`), 'utf8'))
}
