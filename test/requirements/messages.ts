import { type Area, host, must, tested } from './requirement.ts'

const DEMO = 'test/behaviour/demo.test.ts'
const REPLIES = 'test/unit/transport/http/replies.test.ts'
const PIPE = 'test/unit/transport/pipe-connection.test.ts'
const WIRE = 'test/wire/transcripts.test.ts'
const CALLS = 'test/unit/session/calls.test.ts'

export const messages: Area = {
  title: 'base protocol',
  requirements: [
    must('B1', 'both', 'messages are JSON-RPC 2.0 in UTF-8', tested([DEMO, 'was sent only what the specification has'])),
    must('B2', 'both', 'ids are strings or integers, never null', tested([DEMO, 'was sent only what the specification has'])),
    must(
      'B3',
      'legacy',
      'no id is used twice in a session',
      tested([DEMO, 'never had an id twice, and never an answer in the modern era']),
    ),
    must('B4', 'modern', 'no id of a waiting request is used again', tested([CALLS, 'has an id of its own, never reused'])),
    must(
      'B5',
      'both',
      'answers are matched by id, and are a result or an error',
      tested(
        [PIPE, 'never matches an answer by guess'],
        [CALLS, 'is answered whatever the order of the answers'],
        [CALLS, 'whose answer has a null result beside its error has failed'],
      ),
    ),
    must(
      'B6',
      'both',
      'an error without an id is an answer',
      tested([REPLIES, 'takes an error without an id, or with null, on its own reply']),
    ),
    must(
      'B7',
      'both',
      'notifications have no id and get no answer',
      tested(
        [DEMO, 'was sent only what the specification has'],
        ['test/unit/session/any-server.test.ts', 'whatever a server says unasked'],
      ),
    ),
    must('B8', 'modern', 'no response is ever sent', tested([DEMO, 'never had an id twice, and never an answer in the modern era'])),
    must(
      'B9',
      'modern',
      'servers send no requests; one that does gets no answer',
      tested(['test/unit/session/inbound.test.ts', 'is not answered in the modern era, where servers may not ask']),
    ),
    must(
      'B11',
      'legacy',
      'batches of the server are taken apart',
      tested([WIRE, 'take batches of a legacy server apart, and never send one'], [REPLIES, 'takes its answer from a batch']),
    ),
    must('B12', 'both', 'no batch is sent', tested([WIRE, 'take batches of a legacy server apart, and never send one'])),
    must(
      'B13',
      'modern',
      'each request carries the revision and our capabilities',
      tested([WIRE, 'in the modern era say on each request who asks, in what revision and with what abilities']),
    ),
    must(
      'B15',
      'modern',
      'a result without a type is complete; one of an unknown type is invalid',
      tested(
        ['test/unit/session/input-required.test.ts', 'may not have the resultType %j'],
        ['test/unit/session/input-required.test.ts', 'is complete with the resultType %j'],
      ),
    ),
    must(
      'B17',
      'modern',
      'codes that the specification keeps for itself mean nothing else',
      tested(['test/unit/session/any-server.test.ts', 'to an error: an RpcError or another typed error']),
    ),
    must(
      'B19',
      'modern',
      'errors made here are no errors of the peer, and no code of the kept range is sent',
      tested(['test/unit/session/errors.test.ts', 'keep what they are given'], [DEMO, 'asks the model, and tells a refusal']),
    ),
    must(
      'B20',
      'both',
      'keys of `_meta` follow the grammar',
      tested([CALLS, 'with metadata under the key %j is a TypeError with nothing sent']),
    ),
    must(
      'B21',
      'both',
      'nothing is assumed of values at reserved keys',
      tested(['test/unit/session/any-server.test.ts', 'whatever a server answers']),
    ),
    must(
      'B22',
      'modern',
      'trace context in `_meta` is in the forms of W3C',
      tested(
        ['test/unit/protocol/trace-context.test.ts', 'that is not in the form of W3C is a TypeError with nothing sent: %j'],
        ['test/behaviour/tracing.test.ts', 'leaves out what a propagator writes that is not in the forms of W3C'],
      ),
    ),
    must(
      'B23',
      'both',
      'JSON Schema 2020-12 is the default, a named dialect is honoured, an unknown one is reported',
      tested(['test/unit/schema/official-suite.test.ts', 'passes all required cases of draft 2020-12']),
    ),
    must(
      'B24',
      'modern',
      'no reference to the network is followed',
      tested(['test/unit/schema/engine.test.ts', 'of %j passes and is named']),
    ),
    must(
      'B26',
      'both',
      'icons: PNG and JPEG, safe schemes only, no credentials',
      host('nothing is fetched or drawn here; icons are handed over as they came'),
    ),
  ],
}

export const lifecycle: Area = {
  title: 'handshake of the legacy era',
  requirements: [
    must('L1', 'legacy', '`initialize` comes first, with all that belongs to it', tested([WIRE, 'the opening'])),
    must(
      'L2',
      'legacy',
      'the version that is offered is one that we speak',
      tested([WIRE, 'pinned to %s offers that and nothing before it']),
    ),
    must(
      'L3',
      'legacy',
      'a version that we cannot speak ends the connection',
      tested([WIRE, 'hangs up on a revision that it cannot speak']),
    ),
    must('L4', 'legacy', '`notifications/initialized` follows', tested([WIRE, 'falls back after a result that is no discovery'])),
    must('L7', 'legacy', 'only what was negotiated is used', tested([CALLS, 'decides what is asked of it: no capability, no request'])),
    must('L8', 'legacy', '`initialize` is never cancelled', tested([WIRE, 'never cancels a handshake'])),
    must(
      'L11',
      'modern',
      'each request says what it may need, since nothing is inferred from earlier ones',
      tested([WIRE, 'in the modern era say on each request who asks, in what revision and with what abilities']),
    ),
    must(
      'L14',
      'modern',
      'state over several requests is named in them',
      tested(['test/unit/session/input-required.test.ts', 'goes out again with the answers under their keys']),
    ),
  ],
}

export const discovery: Area = {
  title: 'revisions and discovery',
  requirements: [
    must(
      'V5',
      'modern',
      'falling back hangs on no single error code',
      tested(['test/unit/era/probe-verdict.test.ts', 'what follows from the probe']),
    ),
    must(
      'V6',
      'modern',
      'there is no falling back after a modern error',
      tested(['test/unit/era/probe-verdict.test.ts', 'what follows from the probe']),
    ),
    must(
      'V9',
      'modern',
      'ids of extensions have a prefix; one that the server lacks is done without, or refused clearly',
      tested(
        ['test/unit/features/tasks.test.ts', 'is not to be had with %s; nothing is sent'],
        ['test/unit/connect-options.test.ts', 'name what is wrong and send nothing: %s %j'],
      ),
    ),
  ],
}
