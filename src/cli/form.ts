import { confirm, isCancel, log, multiselect, select, text } from '@clack/prompts'
import {
  accept,
  cancel,
  decline,
  type ElicitAnswer,
  type ElicitFormRequest,
  type ElicitUrlRequest,
  type HandlerContext,
} from 'mcp-switchboard'
import { type Field, type FieldValue, fieldsOf, numberProblem, textProblem } from './form-fields.ts'
import { oneLine, printable } from './terminal-text.ts'

/** Stdout is for the result alone. */
const output = process.stderr

/** Asks for the fields of a form. Escape gives the answer cancel. */
export async function askForm(request: ElicitFormRequest, { server, signal }: HandlerContext): Promise<ElicitAnswer> {
  log.step(printable(`${server} asks: ${request.message}`), { output })
  const content: Record<string, FieldValue> = {}
  for (const field of fieldsOf(request.requestedSchema)) {
    const value = await askField(field, signal)
    if (typeof value === 'symbol') return cancel()
    if (value !== undefined) content[field.name] = value
  }
  const sure = await confirm({ message: 'Send this to the server?', output, signal })
  if (isCancel(sure)) return cancel()
  return sure ? accept(content) : decline()
}

/** Shows the whole URL and asks for consent; it is the person who opens it. */
export async function askVisit(request: ElicitUrlRequest, { server, signal }: HandlerContext): Promise<ElicitAnswer> {
  const host = URL.canParse(request.url) ? ` at ${new URL(request.url).host}` : ''
  log.step(printable(`${server} asks: ${request.message}`), { output })
  // Not in a box: it can be copied, however long it is.
  output.write(`\n${oneLine(request.url)}\n\n`)
  const sure = await confirm({ message: `Do you agree, and have you opened this page${host}?`, initialValue: false, output, signal })
  if (isCancel(sure)) return cancel()
  return sure ? accept() : decline()
}

function askField(field: Field, signal: AbortSignal): Promise<FieldValue | undefined | symbol> {
  const message = field.required ? field.label : `${field.label} (optional)`
  const common = { message, output, signal }
  switch (field.kind) {
    case 'boolean':
      return confirm({ ...common, initialValue: field.initial === true })
    case 'choice':
      return select({ ...common, options: [...field.choices], ...(typeof field.initial === 'string' && { initialValue: field.initial }) })
    case 'choices':
      return multiselect({
        ...common,
        options: [...field.choices],
        required: field.required,
        ...(Array.isArray(field.initial) && { initialValues: field.initial }),
      })
    case 'number':
      return askText(field, common, numberProblem).then((value) => (typeof value === 'string' ? Number(value) : value))
    case 'text':
      return askText(field, common, textProblem)
  }
}

async function askText(
  field: Field,
  common: { message: string; output: NodeJS.WriteStream; signal: AbortSignal },
  problem: (field: Field, value: string) => string | undefined,
): Promise<string | undefined | symbol> {
  const value = await text({
    ...common,
    ...(field.initial !== undefined && { initialValue: String(field.initial) }),
    validate(given = '') {
      if (given === '') return field.required ? 'this is needed' : undefined
      return problem(field, given)
    },
  })
  return isCancel(value) || (value ?? '') !== '' ? value : undefined
}
