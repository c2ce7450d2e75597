import { done, later, row, type Section } from './row.ts'

const interop = 'interop/rows.mjs'
const negotiate = 'test/unit/era/negotiate.test.ts'
const plain = 'test/unit/transport/http/json-http.test.ts'
const sse = 'test/unit/transport/http/legacy-sse.test.ts'
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
    row(
      10,
      'HTTP+SSE',
      "a URL that ends in /sse, transport: 'sse'",
      'failures',
      done([sse, 'is a GET for an event stream, and all messages are POSTs to the address that it announces']),
    ),
    row(
      11,
      'plain HTTP without streams',
      "transport: 'http'",
      'failures',
      done([plain, 'is a POST per message that takes JSON only, and never a GET']),
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
      done(
        ['test/behaviour/demo.test.ts', 'lists all its tools over several pages'],
        ['test/behaviour/demo.test.ts', 'calls a tool, with text of every kind'],
        ['test/behaviour/demo.test.ts', 'streams what happens'],
        ['test/behaviour/demo.test.ts', 'answers with structured data'],
        ['test/unit/features/tools.test.ts', 'has the hints of the specification'],
      ),
    ),
    row(
      17,
      'prompts: list, get with arguments',
      'listPrompts, getPrompt',
      'features',
      done(['test/behaviour/demo.test.ts', 'gives prompts'], ['test/unit/features/lists.test.ts', 'are followed to the end']),
    ),
    row(
      18,
      'resources: list, read, templates, subscriptions, pages',
      'listResources, readResource, listResourceTemplates, watch',
      'features',
      done(
        ['test/behaviour/demo.test.ts', 'gives resources, listed and not'],
        ['test/unit/features/lists.test.ts', 'are followed to the end'],
        ['test/behaviour/live.test.ts', 'reaches listeners, subscriptions and loops, and is asked for as the revision has it'],
      ),
    ),
    row(
      19,
      'links to resources are typed',
      'content blocks of type resource_link',
      'features',
      done(['test/behaviour/demo.test.ts', 'brings content of every kind']),
    ),
    row(
      20,
      'questions to the person on every transport',
      'handlers.elicitation',
      'features',
      done(['test/behaviour/demo.test.ts', 'asks the person with a form, and gets what was answered']),
    ),
    row(
      21,
      'roots that tell of changes',
      'roots, client.roots = […]',
      'features',
      done(
        ['test/unit/session/inbound.test.ts', 'are answered as they are at the moment, and changes are told'],
        ['test/behaviour/demo.test.ts', 'asks for the roots of the moment'],
      ),
    ),
    row(
      22,
      'sampling with preferences',
      'handlers.sampling',
      'features',
      done(
        ['test/unit/session/inbound.test.ts', 'hands over everything that the server sent'],
        ['test/behaviour/demo.test.ts', 'asks the model, and tells a refusal'],
      ),
    ),
    row(
      23,
      'completion with context',
      'client.complete',
      'features',
      done(
        ['test/unit/features/completion.test.ts', 'in %s needs the capability: %s, and tells earlier answers: %s'],
        ['test/behaviour/demo.test.ts', 'completes what is typed'],
      ),
    ),
    row(
      24,
      'logging by level',
      "setLogLevel, on('log')",
      'features',
      done(
        ['test/behaviour/demo.test.ts', 'sends log messages of the level that is wanted'],
        ['test/unit/features/lists.test.ts', 'is told once where the revision has a request for it'],
      ),
    ),
    row(
      25,
      'tasks',
      'callToolAsTask',
      'features',
      done(['test/behaviour/tasks.test.ts', 'run while nobody waits, and give their result to who asks']),
    ),
    row(
      26,
      'audio',
      'content blocks of type audio, bytesOf',
      'features',
      done(
        ['test/behaviour/demo.test.ts', 'brings content of every kind'],
        ['test/unit/protocol/peer-text.test.ts', 'gives the bytes of base64 %j'],
      ),
    ),
    row(
      27,
      'progress per call',
      'onProgress',
      'foundation',
      done(['test/unit/session/calls.test.ts', 'gets its progress in order and whole before its result, 10,000 of 10,000']),
    ),
    row(
      28,
      'a request that is given up is cancelled on the server',
      'on timeout and by signal',
      'failures',
      done(
        ['test/unit/session/calls.test.ts', 'tells the server once, with the id of the call'],
        ['test/unit/session/deadlines.test.ts', 'end a silent call at its time, not before, and tell the server once'],
        ['test/wire/transcripts.test.ts', 'tells the server once, in the %s era on a pipe'],
      ),
    ),
    row(
      29,
      'icons, titles and metadata everywhere',
      'icons, title, meta',
      'features',
      done(['test/unit/features/lists.test.ts', 'have entries with icons, titles, metadata and what nobody knows, as they came']),
    ),
    ...later('oauth', [30, 'OAuth 2.1', 'auth']),
  ],
}
