import { type Area, must, tested } from './requirement.ts'

const DEMO = 'test/behaviour/demo.test.ts'
const REPLIES = 'test/unit/transport/http/replies.test.ts'
const SESSION = 'test/unit/transport/http/session.test.ts'
const STREAM = 'test/unit/transport/http/server-stream.test.ts'
const HEADERS = 'test/unit/era/tool-headers.test.ts'
const OWN = 'test/unit/session/own-streams.test.ts'
const SSE = 'test/unit/transport/http/legacy-sse.test.ts'
const WIRE = 'test/wire/transcripts.test.ts'
const LIVE = 'test/unit/features/live.test.ts'

export const stdio: Area = {
  title: 'stdio',
  requirements: [
    must(
      'S1',
      'both',
      'one message is one line',
      tested(['test/unit/transport/stdio.test.ts', 'is spoken with by lines, with text of every kind both ways']),
    ),
    must('S2', 'both', 'nothing but messages goes to stdin', tested([DEMO, 'was sent only what the specification has'])),
    must('S4', 'modern', 'no response goes to stdin', tested([DEMO, 'never had an id twice, and never an answer in the modern era'])),
    must(
      'S5',
      'modern',
      'notifications of a subscription are told apart by its id',
      tested([LIVE, 'is matched by the id as it was sent, number or text']),
    ),
    must(
      'S7',
      'modern',
      'listen streams are asked for again after a restart',
      tested(['test/behaviour/live.test.ts', 'subscriptions, loops, listeners and the log level are back']),
    ),
    must('S8', 'modern', 'a request is cancelled by a notification', tested([WIRE, 'tells the server once, in the %s era on a pipe'])),
    must(
      'S11',
      'modern',
      'other transports keep the messages and their metadata',
      tested(['test/unit/transport/foreign.test.ts', 'that is a pipe carries every revision']),
    ),
    must(
      'S12',
      'both',
      'servers write nothing but messages to stdout; what is none costs nothing',
      tested([WIRE, 'takes a banner, log messages and pings before the answer']),
    ),
  ],
}

export const streamableHttp: Area = {
  title: 'Streamable HTTP',
  requirements: [
    must('H1', 'both', 'each message is a POST of its own', tested([REPLIES, 'is one POST with the headers of the protocol'])),
    must('H2', 'both', '`Accept` names JSON and event streams', tested([REPLIES, 'is one POST with the headers of the protocol'])),
    must('H3', 'both', 'either may be the answer', tested([DEMO, 'calls a tool, with text of every kind'])),
    must(
      'H5',
      'both',
      '`MCP-Protocol-Version` is sent',
      tested([SESSION, 'is spoken for by every later POST, GET and DELETE'], [REPLIES, 'is one POST with the headers of the protocol']),
    ),
    must(
      'H7',
      'modern',
      'comments of an event stream are no fault',
      tested(['test/unit/transport/http/sse-reader.test.ts', 'agrees with a well-known parser on any stream, however it is cut']),
    ),
    must(
      'HL1',
      'legacy',
      'the session id is sent from the handshake on',
      tested([SESSION, 'is spoken for by every later POST, GET and DELETE']),
    ),
    must(
      'HL2',
      'legacy',
      'the session id is visible ASCII and a secret',
      tested([SESSION, 'id with %s is reported without showing it, and ignored']),
    ),
    must(
      'HL3',
      'legacy',
      'a 404 begins a new session',
      tested(['test/behaviour/passing-failures.test.ts', 'is replaced once for fifty calls at once']),
    ),
    must('HL5', 'legacy', 'the GET accepts event streams only', tested([STREAM, 'gives its messages on without an exchange'])),
    must('HL7', 'legacy', '`retry` is waited for', tested([SESSION, '%s is continued by GET after the pause that the server asked for'])),
    must(
      'HM1',
      'modern',
      'each POST has the headers of its request',
      tested([OWN, 'headers repeat version, method, name and the arguments']),
    ),
    must('HM2', 'modern', 'values that are not plain are encoded', tested([HEADERS, 'can be read back, whatever the text'])),
    must('HM3', 'modern', 'designated arguments are mirrored, and left out when absent', tested([HEADERS, 'the headers of a request'])),
    must(
      'HM4',
      'modern',
      'a tool with an invalid annotation is left out',
      tested([HEADERS, 'forbid it over HTTP'], [OWN, 'a tool with an invalid header is left out with its name and the reason']),
    ),
    must(
      'HM6',
      'modern',
      'integers stay within 2^53 − 1',
      tested([OWN, 'an integer that no header can carry is a TypeError with nothing sent']),
    ),
    must(
      'HM9',
      'modern',
      'the newest definition held is the one that counts',
      tested([OWN, 'refused headers are built anew from a fresh list, once']),
    ),
    must(
      'HM10',
      'modern',
      'a broken reply stream is a lost request; sent again, it is a new one',
      tested([REPLIES, 'whose stream ends without the answer rejects at once with the outcome unknown']),
    ),
    must(
      'HM11',
      'modern',
      '`Last-Event-ID` is not sent, a session id is ignored',
      tested([SESSION, 'id is ignored in a link without sessions, which sends nothing but POSTs']),
    ),
    must(
      'HM17',
      'modern',
      '`Mcp-Name` is the id of the task on requests about tasks',
      tested(['test/unit/features/extensions.test.ts', 'bring parameters that Mcp-Name repeats']),
    ),
  ],
}

export const httpSse: Area = {
  title: 'HTTP+SSE',
  requirements: [
    must(
      'E1',
      'legacy',
      'the announced address is waited for, and all messages go there',
      tested([SSE, 'is a GET for an event stream, and all messages are POSTs to the address that it announces']),
    ),
  ],
}
