import { done, open, row, type Section } from './row.ts'

export const roots: Section = {
  title: 'G. Roots',
  rows: [
    row(
      98,
      'set roots',
      'client.roots = […]',
      'features',
      done(['test/unit/session/inbound.test.ts', 'are answered as they are at the moment, and changes are told']),
    ),
    row(
      99,
      'read roots',
      'client.roots',
      'foundation',
      done(['test/unit/session/inbound.test.ts', 'are copied: what the caller does later with its array changes nothing']),
    ),
    row(
      100,
      'roots from the start',
      'roots; an empty list declares them too',
      'foundation',
      done(['test/unit/session/input-required.test.ts', 'are declared by what is registered and by nothing else: %j']),
    ),
    row(
      101,
      'only file URIs that do not climb',
      'TypeError',
      'features',
      done(['test/unit/session/inbound.test.ts', 'that are no plain file URI are a TypeError, and the old ones stay: %j']),
    ),
    row(
      102,
      'roots for every server',
      'roots of a group',
      'servers',
      done(['test/behaviour/group-fan-out.test.ts', 'is the roots: of those that were connected with roots, also later']),
    ),
  ],
}

export const sampling: Section = {
  title: 'H. Sampling',
  rows: [
    row(
      103,
      'a handler from the start',
      'handlers.sampling',
      'features',
      done(['test/behaviour/demo.test.ts', 'asks the model, and tells a refusal']),
    ),
    row(
      104,
      'what the handler gets',
      '{ messages, modelPreferences, systemPrompt, maxTokens }',
      'features',
      done(['test/unit/session/inbound.test.ts', 'hands over everything that the server sent']),
    ),
    row(105, 'what it returns', 'text, or a result that is completed', 'features', done(['test/unit/session/inbound.test.ts', 'sends %s'])),
    row(
      106,
      'tools only when declared',
      'handlers.sampling: { createMessage, tools: true }',
      'features',
      done(['test/unit/session/input-required.test.ts', 'are declared by what is registered and by nothing else: %j']),
    ),
    row(
      107,
      'tools and their choice',
      'tools, toolChoice',
      'features',
      done(['test/unit/session/inbound.test.ts', 'hands over everything that the server sent']),
    ),
    row(
      108,
      'tools without being declared',
      'refused',
      'features',
      done(['test/unit/session/inbound.test.ts', 'refuses %s and asks nobody']),
    ),
    row(
      109,
      'a use of tools as the answer',
      'blocks of type tool_use',
      'features',
      done(['test/unit/session/inbound.test.ts', 'sends %s']),
    ),
    row(
      110,
      'the person refuses',
      'undefined, or an RpcError',
      'features',
      done(['test/unit/session/inbound.test.ts', 'refuses by undefined']),
    ),
    row(
      111,
      'no handler, nothing declared',
      'capabilities come from what is registered',
      'foundation',
      done(
        ['test/unit/session/inbound.test.ts', 'is answered by what is registered: %s %j'],
        ['test/unit/session/input-required.test.ts', 'are declared by what is registered and by nothing else: %j'],
      ),
    ),
  ],
}

export const elicitation: Section = {
  title: 'N. Elicitation',
  rows: [
    row(
      166,
      'a handler',
      'handlers.elicitation(request, context)',
      'features',
      done(['test/unit/session/inbound.test.ts', 'hands the request over with its mode, also when the server names none']),
    ),
    row(
      167,
      'accept with content',
      'accept({ … })',
      'foundation',
      done(['test/behaviour/demo.test.ts', 'asks the person with a form, and gets what was answered']),
    ),
    row(
      168,
      'decline or cancel',
      'decline(), cancel()',
      'foundation',
      done(
        ['test/unit/session/inbound.test.ts', 'sends %s'],
        ['test/behaviour/demo.test.ts', 'asks the person with a form, and gets what was answered'],
      ),
    ),
    row(169, 'the plain answer', "{ action: 'accept', content }", 'features', done(['test/unit/session/inbound.test.ts', 'sends %s'])),
    row(
      170,
      'no answer, or an unknown one',
      'a cancel, never an accept',
      'features',
      done(['test/unit/session/inbound.test.ts', 'warns of an answer that is none']),
    ),
    row(
      171,
      'content is checked before it leaves',
      'checked, with defaults filled in',
      'features',
      done(
        ['test/unit/session/inbound.test.ts', 'does not let content leave that has %s'],
        ['test/unit/session/inbound.test.ts', 'answers a form whose schema cannot be used whole, with a warning'],
      ),
    ),
    row(
      172,
      'URLs to visit',
      "request.mode === 'url', never fetched here",
      'features',
      done(['test/behaviour/demo.test.ts', 'sends the person to a page']),
    ),
    row(
      173,
      'errors for what cannot be answered',
      'one per case',
      'features',
      open('features', 'a handler that is missing in the modern era', [
        'test/unit/session/inbound.test.ts',
        'refuses %s with -32602 and asks nobody',
      ]),
    ),
    row(
      174,
      'on a process',
      'the same handlers everywhere',
      'features',
      done(['test/behaviour/demo.test.ts', 'asks the person with a form, and gets what was answered']),
    ),
    row(
      175,
      'a call of the same server inside of a handler',
      'off the reader',
      'features',
      done(['test/unit/session/inbound.test.ts', 'reaches a handler that may call the same server']),
    ),
  ],
}
