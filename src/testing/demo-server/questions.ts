import type { Params } from '../../jsonrpc/message.ts'
import { type Question, ToolFailure } from './call.ts'
import type { Features } from './revision.ts'

function elicitation(features: Features, message: string, requestedSchema: Params): Question {
  if (!features.elicitation) throw new ToolFailure('this protocol revision has no elicitation')
  const mode = features.urlElicitation ? { mode: 'form' } : {}
  return { method: 'elicitation/create', params: { ...mode, message, requestedSchema }, needs: { elicitation: { form: {} } } }
}

/** A form with a name and an age. */
export function form(features: Features): Question {
  return elicitation(features, 'Who are you?', {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 1, maxLength: 100 },
      age: { type: 'integer', title: 'Age', minimum: 0, maximum: 150, default: 42 },
    },
    required: ['name'],
  })
}

/** A form with one yes or no. */
export function confirmation(features: Features): Question {
  return elicitation(features, 'Go on?', { type: 'object', properties: { sure: { type: 'boolean', title: 'Sure', default: true } } })
}

/** A page to open; only legacy revisions give the visit an id. */
export function visitPage(features: Features): { readonly id: string; readonly question: Question } {
  if (!features.urlElicitation) throw new ToolFailure('this protocol revision has no URL elicitation')
  const id = crypto.randomUUID()
  const params = { mode: 'url', message: 'Please open this page.', url: `https://example.com/visit/${id}` }
  return {
    id,
    question: {
      method: 'elicitation/create',
      params: features.modern ? params : { ...params, elicitationId: id },
      needs: { elicitation: { url: {} } },
    },
  }
}

export function sampling(text: string): Question {
  return {
    method: 'sampling/createMessage',
    params: {
      messages: [{ role: 'user', content: { type: 'text', text: `Summarize: ${text}` } }],
      systemPrompt: 'Answer in one sentence.',
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 0.8 },
      maxTokens: 100,
    },
    needs: { sampling: {} },
  }
}

export const rootsList: Question = { method: 'roots/list', needs: { roots: {} } }
