import { different, done, row, type Section } from './row.ts'

const auto = 'test/behaviour/auto.test.ts'
const sse = 'test/unit/transport/http/legacy-sse.test.ts'
const target = 'test/unit/config/target.test.ts'
const options = 'test/unit/connect-options.test.ts'
const replies = 'test/unit/transport/http/replies.test.ts'
const stdio = 'test/unit/transport/stdio.test.ts'
const interop = 'interop/rows.mjs'

export const quickConnect: Section = {
  title: 'C. Quick connect',
  rows: [
    row(
      31,
      'an HTTP+SSE server by URL',
      "connect('http://localhost:8000/sse')",
      'failures',
      done([auto, 'follows the path of %s'], [sse, 'is a GET for an event stream, and all messages are POSTs']),
    ),
    row(
      32,
      'a Streamable HTTP server by URL',
      "connect('http://localhost:8931/mcp')",
      'foundation',
      done([interop, "row('server-everything', 'http', 'auto'"]),
    ),
    row(
      33,
      'a command line',
      "connect('npx -y …')",
      'foundation',
      done([target, 'that starts with %s is a command line'], [interop, "row('server-filesystem', 'stdio', 'auto'"]),
    ),
    row(
      34,
      'headers',
      'headers, an object or a function',
      'foundation',
      done([replies, "is one POST with the headers of the protocol, ours and the caller's"]),
    ),
    row(
      35,
      'a deadline',
      'timeoutMs',
      'foundation',
      done(
        ['test/unit/session/deadlines.test.ts', 'have the default of 60 seconds, and that of the client'],
        ['test/behaviour/demo.test.ts', 'ends a call at its deadline and goes on'],
      ),
    ),
    row(36, 'retries', 'retries', 'failures', done(['test/behaviour/passing-failures.test.ts', 'a list after two 503'])),
    row(37, 'pauses that grow', 'retryBackoffMs', 'failures', done(['test/unit/session/resend.test.ts', 'after a pause that doubles'])),
    row(
      38,
      'a logger',
      'logger',
      'foundation',
      done(
        ['test/behaviour/demo.test.ts', 'warns of a result that breaks its own schema, and keeps it'],
        ['test/unit/features/tools.test.ts', 'warn once by default and keep the result: %s'],
      ),
    ),
    row(
      39,
      'a name',
      'name',
      'servers',
      done(['test/behaviour/group.test.ts', 'does not share a server between those that have one client']),
    ),
    row(
      40,
      'environment of the process',
      'env',
      'failures',
      done([stdio, 'holds the safe variables and those given, and nothing else of ours']),
    ),
    row(
      41,
      'pings when idle',
      'keepAliveMs',
      'failures',
      done(['test/unit/session/keep-alive.test.ts', 'replaces a link that answers no ping']),
    ),
    row(42, 'an endpoint', 'endpoint', 'failures', done(['test/unit/transport/http/json-http.test.ts', 'of %j with %j is %s'])),
    row(43, 'several servers at once', 'an array of targets', 'servers', done(['test/behaviour/group.test.ts', 'is %s'])),
    row(44, 'names for targets without one', 'server_0, server_1, …', 'servers', done(['test/behaviour/group.test.ts', 'is %s'])),
    row(45, 'a transport is forced', "transport: 'streamable-http'", 'foundation', done([options, 'force a transport only where it fits'])),
    row(
      46,
      'ready when connected',
      'serverInfo, capabilities, instructions',
      'foundation',
      done(['interop/checks.mjs', "assert.equal(client.state, 'ready')"]),
    ),
    row(47, 'list tools', 'client.listTools()', 'foundation', done(['interop/checks.mjs', 'const tools = await client.listTools()'])),
    row(
      48,
      'call a tool',
      'client.callTool(name, args)',
      'foundation',
      done(['test/package/package.test.ts', 'lists and calls the demo server from the installed package']),
    ),
    row(
      49,
      'clean up',
      'client.close(), await using',
      'foundation',
      done(['interop/checks.mjs', 'processes left'], [stdio, 'happens once, however often it is asked for']),
    ),
    row(50, 'a path /sse means HTTP+SSE', 'first, the rest on evidence', 'failures', done([auto, 'follows the path of %s'])),
    row(
      51,
      'a path /mcp means Streamable HTTP',
      'first, the rest on evidence',
      'foundation',
      different('the path decides only what is tried first; the rest follows on evidence', [auto, 'follows the path of %s']),
    ),
    row(52, 'stdio:// means a process', "'stdio://cmd args'", 'foundation', done([target, 'that starts with %s is a command line'])),
    row(
      53,
      'an array means a process',
      "['node', 's.js']",
      'foundation',
      different('an array is one command, never split; several servers are for connectGroup', [target, '%j is one command']),
    ),
    row(
      54,
      'known programs',
      'npx, node, python, … and uvx, docker, deno, bun',
      'foundation',
      done([target, 'that starts with %s is a command line']),
    ),
    row(
      55,
      'any other URL: each transport in turn',
      'on evidence, modern first',
      'failures',
      done([auto, 'reaches a server at /api that speaks only %s'], [auto, 'lists each attempt with its reason when all fail']),
    ),
    row(
      56,
      'a bad target says what to do',
      'TypeError',
      'foundation',
      done([target, 'that is none is a TypeError which says what to do: %j']),
    ),
    row(
      57,
      'an unknown transport',
      'TypeError that lists them',
      'foundation',
      done([options, 'name what is wrong and send nothing: %s %j']),
    ),
  ],
}
