import { done, later, open, row, type Section } from './row.ts'

export const roots: Section = {
  title: 'G. Roots',
  rows: [
    row(98, 'set roots', 'client.roots = […]', 'features', open('foundation')),
    row(99, 'read roots', 'client.roots', 'foundation', open('foundation')),
    row(100, 'roots from the start', 'roots; an empty list declares them too', 'foundation', open('foundation')),
    row(101, 'only file URIs that do not climb', 'TypeError', 'features', open('foundation')),
    ...later('servers', [102, 'roots for every server', 'roots of a group']),
  ],
}

export const sampling: Section = {
  title: 'H. Sampling',
  rows: [
    row(103, 'a handler from the start', 'handlers.sampling', 'features', open('foundation')),
    ...later(
      'features',
      [104, 'what the handler gets', '{ messages, modelPreferences, systemPrompt, maxTokens }'],
      [105, 'what it returns', 'text, or a result that is completed'],
      [106, 'tools only when declared', 'handlers.sampling: { createMessage, tools: true }'],
      [107, 'tools and their choice', 'tools, toolChoice'],
      [108, 'tools without being declared', 'refused'],
      [109, 'a use of tools as the answer', 'blocks of type tool_use'],
      [110, 'the person refuses', 'undefined, or an RpcError'],
    ),
    row(111, 'no handler, nothing declared', 'capabilities come from what is registered', 'foundation', open('foundation')),
  ],
}

export const elicitation: Section = {
  title: 'N. Elicitation',
  rows: [
    row(166, 'a handler', 'handlers.elicitation(request, context)', 'features', open('foundation')),
    row(167, 'accept with content', 'accept({ … })', 'foundation', done(['interop/rows.mjs', 'accepted: (result)'])),
    row(168, 'decline or cancel', 'decline(), cancel()', 'foundation', done(['interop/rows.mjs', 'declined: (result)'])),
    ...later(
      'features',
      [169, 'the plain answer', "{ action: 'accept', content }"],
      [170, 'no answer, or an unknown one', 'a cancel, never an accept'],
      [171, 'content is checked before it leaves', 'checked, with defaults filled in'],
      [172, 'URLs to visit', "request.mode === 'url', never fetched here"],
      [173, 'errors for what cannot be answered', 'one per case'],
      [174, 'on a process', 'the same handlers everywhere'],
      [175, 'a call of the same server inside of a handler', 'off the reader'],
    ),
  ],
}
