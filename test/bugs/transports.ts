import { type Bug, bug, shown } from './bug.ts'

const STDIO = 'test/unit/transport/stdio.test.ts'
const REPORTED = 'test/behaviour/reported-bugs.test.ts'
const REPLIES = 'test/unit/transport/http/replies.test.ts'
const SERVER_STREAM = 'test/unit/transport/http/server-stream.test.ts'
const SESSION = 'test/unit/transport/http/session.test.ts'
const EVENTS = 'test/unit/transport/http/sse-reader.test.ts'
const LEGACY_SSE = 'test/unit/transport/http/legacy-sse.test.ts'
const AUTO = 'test/behaviour/auto.test.ts'
const PASSING = 'test/behaviour/passing-failures.test.ts'

/** What servers do on each way to them. */
export const transports: readonly Bug[] = [
  bug(
    1,
    'stdio',
    'output before the handshake ends the connection',
    shown(['test/behaviour/bad-input.test.ts', 'before and between answers']),
  ),
  bug(
    2,
    'stdio',
    'an answer that shares its line with a log is lost without a trace',
    shown([REPORTED, 'its log and an answer into one line']),
  ),
  bug(5, 'stdio', 'lines that end as on Windows', shown([STDIO, 'may end its lines with CRLF'])),
  bug(
    10,
    'stdio',
    'error output without line breaks grows in memory',
    shown(['test/unit/transport/stderr-tail.test.ts', 'stays within its bounds']),
  ),
  bug(11, 'stdio', 'a process that ends at once is waited for', shown(['test/behaviour/bad-input.test.ts', 'within a second of it'])),
  bug(
    15,
    'stdio',
    'command files of Windows are not started',
    shown(
      ['test/unit/transport/windows-commands.test.ts', 'found by PATHEXT'],
      ['test/unit/transport/windows-commands.test.ts', 'no line break in an argument'],
    ),
  ),
  bug(
    18,
    'stdio',
    'servers outlive the program around the client',
    shown(['test/unit/transport/parent-ends.test.ts', 'is gone with its child after %s'], [STDIO, 'leaves no exit hook behind']),
  ),
  bug(19, 'stdio', 'a command is not found, and nobody knows where it was looked for', shown([STDIO, 'with the PATH that was searched'])),
  bug(
    22,
    'stdio',
    'the stdin of a slow server is closed before it was greeted',
    shown([REPORTED, 'is not cut off before the handshake is done']),
  ),
  bug(24, 'http', 'an empty 200 to a notification is an error', shown([REPLIES, 'is delivered when the server answers %i with %s'])),
  bug(26, 'http', 'text as the answer to a notification is an error', shown([REPLIES, 'is delivered when the server answers %i with %s'])),
  bug(28, 'http', 'media types are compared letter by letter', shown([REPLIES, 'takes its answer from a body of type %s'])),
  bug(
    30,
    'http',
    'a refused event stream is asked for again and again',
    shown([SERVER_STREAM, 'is not asked for again when the server answers %i']),
  ),
  bug(33, 'http', 'a lost session is told by 400 and not recognised', shown([SESSION, 'that the server does not know any more'])),
  bug(36, 'http', 'a redirect turns a message into a GET', shown([REPLIES, 'sends nothing to another origin, nor a GET'])),
  bug(39, 'http', 'a slash is added to a path or taken from it', shown([REPORTED, 'is asked exactly as it is written'])),
  bug(
    40,
    'http',
    'a query upsets the choice of the transport',
    shown([AUTO, 'follows the path of %s'], [AUTO, 'at a path that ends in /sse']),
  ),
  bug(42, 'http', 'events that a proxy holds back are lost', shown([REPLIES, 'also when all comes in one chunk'])),
  bug(
    45,
    'http',
    '429 is fatal, or its delay is ignored',
    shown([PASSING, '429 waits as long as the server says'], [PASSING, '429 with more patience']),
  ),
  bug(48, 'http', 'a refused event stream begins a login', shown([SERVER_STREAM, 'rests without a login'])),
  bug(
    51,
    'http',
    'a JSON-RPC error in a refusal is text within text',
    shown([REPLIES, 'resolves with the JSON-RPC error of a reply with status'], [REPLIES, 'takes an error without an id']),
  ),
  bug(53, 'sse', 'an event without data is parsed', shown([EVENTS, 'notes the id of a priming event'])),
  bug(56, 'sse', 'lines of a stream end with CRLF', shown([EVENTS, 'is read with %s, however it is cut'])),
  bug(57, 'sse', 'events without a type are skipped', shown([EVENTS, 'is read with %s, however it is cut'])),
  bug(59, 'sse', 'data over several lines is parsed line by line', shown([EVENTS, 'joins several data lines'])),
  bug(63, 'sse', 'streams share the last event id, or forget it', shown([SESSION, 'although another stream has the same ids'])),
  bug(64, 'sse', 'characters are damaged where chunks meet', shown([REPLIES, 'reads text whose characters are cut by chunks'])),
  bug(67, 'legacy-sse', 'the announced address lacks the prefix of the path', shown([LEGACY_SSE, 'behind a path prefix wrongly'])),
  bug(
    69,
    'legacy-sse',
    'a stream without its first event is waited for without end',
    shown([LEGACY_SSE, 'that announces nothing is waited for']),
  ),
  bug(70, 'legacy-sse', 'an old server that refuses a POST by 400 is not found', shown([AUTO, 'for a reason to look for HTTP+SSE'])),
  bug(
    177,
    'network',
    'private authorities are not trusted, or too late',
    shown(
      ['test/unit/transport/http/tls.test.ts', 'take an authority as %s'],
      ['test/unit/transport/http/tls.test.ts', 'an authority in NODE_EXTRA_CA_CERTS'],
    ),
  ),
  bug(
    178,
    'network',
    'proxies of the environment are ignored',
    shown(
      ['test/unit/transport/http/proxy.test.ts', 'is taken from HTTP_PROXY'],
      ['test/unit/transport/http/proxy.test.ts', 'needs no entry for this machine'],
    ),
  ),
  bug(
    180,
    'network',
    'one broken connection means that the server cannot be reached',
    shown([PASSING, 'the first connection is destroyed, the second greets']),
  ),
]
