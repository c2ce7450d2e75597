import { done, later, open, row, type Section } from './row.ts'

const interop = 'interop/rows.mjs'
const negotiate = 'test/unit/era/negotiate.test.ts'
const stdio = 'test/unit/transport/stdio.test.ts'

export const protocol: Section = {
  title: 'B. The protocol',
  rows: [
    row(
      9,
      'a child process',
      "'npx …', ['node', 's.js'], { command, args }",
      'foundation',
      done([stdio, 'is spoken with by lines'], [interop, "row('server-everything', 'stdio', 'auto'"]),
    ),
    ...later(
      'failures',
      [10, 'HTTP+SSE', "a URL that ends in /sse, transport: 'sse'"],
      [11, 'plain HTTP without streams', "transport: 'http'"],
    ),
    row(
      12,
      'Streamable HTTP with JSON or events',
      "a URL, transport: 'streamable-http'",
      'foundation',
      done(
        [interop, "row('server-everything', 'http', 'auto'"],
        ['test/unit/transport/http/replies.test.ts', 'takes its answer from a body of type %s'],
      ),
    ),
    row(
      13,
      'the revision is negotiated',
      "era: 'auto', client.protocolVersion",
      'foundation',
      done([negotiate, 'greets a server of %s after its refusal of the probe'], [negotiate, 'asks a modern server once']),
    ),
    row(
      14,
      'four revisions with a handshake',
      "era: '2025-06-18' pins one",
      'foundation',
      done([negotiate, '%s is asked for without a probe'], [interop, "'2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'"]),
    ),
    row(
      15,
      'a revision that we do not speak ends the connection',
      'ProtocolError',
      'foundation',
      done([negotiate, 'ends with a server that greets with %j']),
    ),
    row(
      16,
      'tools: list, call, stream, annotations, structure, title',
      'listTools, callTool, callToolStream, ToolHandle',
      'features',
      open('features', 'every transport'),
    ),
    row(17, 'prompts: list, get with arguments', 'listPrompts, getPrompt', 'features', open('features')),
    row(
      18,
      'resources: list, read, templates, subscriptions, pages',
      'listResources, readResource, listResourceTemplates, watch',
      'features',
      open('features', 'watch'),
    ),
    ...later('features', [19, 'links to resources are typed', 'content blocks of type resource_link']),
    row(
      20,
      'questions to the person on every transport',
      'handlers.elicitation',
      'features',
      open('features', 'HTTP+SSE, and every answer on every transport', [interop, 'elicitation: {']),
    ),
    ...later(
      'features',
      [21, 'roots that tell of changes', 'roots, client.roots = […]'],
      [22, 'sampling with preferences', 'handlers.sampling'],
      [23, 'completion with context', 'client.complete'],
      [24, 'logging by level', "setLogLevel, on('log')"],
      [25, 'tasks', 'callToolAsTask'],
      [26, 'audio', 'content blocks of type audio, bytesOf'],
    ),
    row(27, 'progress per call', 'onProgress', 'foundation', open('foundation', undefined, [interop, 'progress: {'])),
    row(
      28,
      'a request that is given up is cancelled on the server',
      'on timeout and by signal',
      'failures',
      open('failures', 'every failure', [interop, "heard: { name: 'cancelled'"]),
    ),
    ...later('features', [29, 'icons, titles and metadata everywhere', 'icons, title, meta']),
    ...later('oauth', [30, 'OAuth 2.1', 'auth']),
  ],
}
