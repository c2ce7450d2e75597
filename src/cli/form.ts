import { confirm, isCancel, log, multiselect, note, select, text } from '@clack/prompts'
import { accept, cancel, decline, type ElicitAnswer, type ElicitFormRequest, type ElicitUrlRequest } from 'mcp-switchboard'
import { type Field, type FieldValue, fieldsOf, numberProblem, textProblem } from './form-fields.ts'
import { oneLine, printable } from './terminal-text.ts'

/** Stdout is for the result alone. */
const output = process.stderr

/** Asks for the fields of a form. Escape gives the answer cancel. */
export async function askForm(request: ElicitFormRequest, signal: AbortSignal): Promise<ElicitAnswer> {
  log.step(printable(request.message), { output })
  const content: Record<string, FieldValue> = {}
  const fields = fieldsOf(request.requestedSchema)
  if (fields.length === 0) return consent('Agree?', signal)
  for (const field of fields) {
    const value = await askField(field, signal)
    if (typeof value === 'symbol') return cancel()
    if (value !== undefined) content[field.name] = value
  }
  const go = await consent('Send this to the server?', signal)
  return go.action === 'accept' ? accept(content) : go
}

/** Shows the whole URL and asks for consent; the person opens it. */
export async function askVisit(request: ElicitUrlRequest, signal: AbortSignal): Promise<ElicitAnswer> {
  log.step(printable(request.message), { output })
  note(oneLine(request.url), 'The server asks you to open this address', { output })
  return consent('Did you open it, and do you agree?', signal)
}

async function consent(message: string, signal: AbortSignal): Promise<{ action: 'accept' | 'decline' | 'cancel' }> {
  const yes = await confirm({ message, output, signal })
  if (isCancel(yes)) return cancel()
  return yes ? accept() : decline()
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
