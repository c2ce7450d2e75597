import { ValidationError } from '../errors.ts'
import { isObject } from '../jsonrpc/codec.ts'
import { ELICITATION_CREATE } from '../protocol/methods.ts'
import { peerText } from '../protocol/peer-text.ts'
import type { ElicitResult, JSONSchema } from '../protocol/types.ts'
import type { SchemaLimits } from '../schema/limits.ts'

/** What of a schema is named that could not be checked. */
const MAX_NAMED_CHARS = 1_000

type Content = NonNullable<ElicitResult['content']>

/**
 * What an accepted form is answered with: the person's content over the defaults of the schema, checked before it leaves. A schema that
 * cannot be used costs a warning, not the answer.
 * @throws ValidationError when the content does not fit; nothing was sent.
 * @see spec client/elicitation
 */
export async function formContent(
  given: unknown,
  schema: JSONSchema,
  limits: SchemaLimits,
  warn: (problem: string) => void,
): Promise<Content> {
  // What is undefined is not there.
  const own = isObject(given) ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) : {}
  const content: Content = Object.fromEntries(
    Object.entries({ ...defaultsOf(schema), ...own }).map(([name, value]) => {
      if (isAnswer(value)) return [name, value]
      throw mismatch(`"${name}" is no text, number, boolean or list of texts`)
    }),
  )
  const [{ schemaValidator }, { checkWhole }] = await Promise.all([import('../schema/engine.ts'), import('../schema/validator.ts')])
  const { maxDepth, maxSchemaSteps, maxSubschemas, maxPatternChars, maxPatternMs } = limits
  const validator = schemaValidator({ limits: { maxDepth, maxSchemaSteps, maxSubschemas, maxPatternChars, maxPatternMs } })
  try {
    const checked = await checkWhole(validator.compile(schema), content)
    if (checked.unchecked !== undefined) warn(`of the schema of a form ${peerText(checked.unchecked.join(', '), MAX_NAMED_CHARS)}`)
    if (!checked.ok) throw mismatch(checked.issues.map(({ message }) => message).join(', '))
  } catch (error) {
    if (!(error instanceof ValidationError) || error.reason === 'mismatch') throw error
    warn(`the schema of a form cannot be used, so what was answered is not checked: ${error.message}`)
  }
  return content
}

function mismatch(why: string): ValidationError {
  const message = `the content of the form does not fit: ${why}`
  return new ValidationError(message, { reason: 'mismatch', issues: [] }, { outcome: 'not-run', method: ELICITATION_CREATE })
}

/** What a form may be answered with. */
function isAnswer(value: unknown): value is Content[string] {
  return ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
}

function defaultsOf(schema: JSONSchema): Record<string, unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isObject(property) && isAnswer(property.default) ? [[name, property.default]] : [],
    ),
  )
}
