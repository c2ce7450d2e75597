import { type Area, host, listed, must, tested } from './requirement.ts'

const DEMO = 'test/behaviour/demo.test.ts'
const WIRE = 'test/wire/transcripts.test.ts'
const CALLS = 'test/unit/session/calls.test.ts'
const INBOUND = 'test/unit/session/inbound.test.ts'
const ROUNDS = 'test/unit/session/input-required.test.ts'
const OWN = 'test/unit/session/own-streams.test.ts'
const CACHE = 'test/unit/features/answer-cache.test.ts'
const CACHING = 'test/unit/features/caching.test.ts'
const LISTS = 'test/unit/features/lists.test.ts'
const LIVE = 'test/unit/features/live.test.ts'

export const utilities: Area = {
  title: 'cancellation, ping, progress',
  requirements: [
    must(
      'C3',
      'modern',
      'a pipe is told by a notification, over HTTP the stream is closed',
      tested([WIRE, 'tells the server once, in the %s era on a pipe'], [OWN, 'giving up closes the stream and sends no message']),
    ),
    must(
      'C4',
      'both',
      'races of answer and cancellation do no harm',
      tested([CALLS, 'that was answered is not cancelled by a later abort']),
    ),
    must(
      'C5',
      'legacy',
      'a task is cancelled by `tasks/cancel`',
      tested(
        ['test/unit/features/followed-tasks.test.ts', 'takes its task with it when it is given up, %s era'],
        ['test/unit/features/tasks.test.ts', 'is cancelled in its own way'],
      ),
    ),
    must(
      'P1',
      'legacy',
      '`ping` is answered at once',
      tested([INBOUND, 'is answered during the handshake: a ping, before and after the greeting']),
    ),
    must('G1', 'both', 'tokens of progress are unique', tested([CALLS, 'gets its own progress only, with what belongs to it'])),
  ],
}

export const tasks: Area = {
  title: 'tasks of 2025-11-25',
  requirements: [
    must(
      'T1',
      'legacy',
      'no task where the server did not declare it',
      tested(['test/unit/features/followed-tasks.test.ts', 'stays a plain one where the server has no tasks, or the tool may choose']),
    ),
    must(
      'T2',
      'legacy',
      'a tool says whether it may, must or must not run as a task',
      tested(
        ['test/unit/features/tasks.test.ts', 'is not to be had of a tool that forbids it, and the tool is not run'],
        ['test/unit/features/followed-tasks.test.ts', 'resolves with the result: a tool that must, known or not'],
      ),
    ),
    must(
      'T7',
      'legacy',
      'notifications of the status are not relied on',
      tested(['test/unit/features/followed-tasks.test.ts', 'is not asked about while the server tells, and again when it does not']),
    ),
    must(
      'T10',
      'legacy',
      'what belongs to a task says so in `_meta`',
      tested(
        ['test/unit/features/received-tasks.test.ts', 'get an id at once, and their answer when it is asked for'],
        ['test/unit/features/followed-tasks.test.ts', 'asks the handlers of direct questions, whose time does not count'],
      ),
    ),
    must(
      'T11',
      'legacy',
      'tasks that we hold have secret ids and legal states, and are there at once',
      tested(
        ['test/unit/features/received-tasks.test.ts', 'get an id at once, and their answer when it is asked for'],
        ['test/unit/features/received-tasks.test.ts', 'have ids of their own'],
      ),
    ),
    must(
      'T12',
      'legacy',
      'who did not declare tasks takes a request for one as an ordinary one',
      tested(['test/unit/features/received-tasks.test.ts', 'are none in an older revision: the question is answered plainly']),
    ),
  ],
}

export const tools: Area = {
  title: 'tools, prompts, resources',
  requirements: [
    must('O1', 'both', 'annotations are not trusted', tested(['test/unit/session/resend.test.ts', 'or not: %s'])),
    must(
      'M3',
      'both',
      'input and output of prompts are checked against injection',
      host('what a prompt may say is for the program that shows it to a model; its text is handed over as it came'),
    ),
    must('U4', 'both', 'binary contents are decoded properly', tested([DEMO, 'gives resources, listed and not'])),
  ],
}

export const questions: Area = {
  title: 'roots, sampling, elicitation',
  requirements: [
    must(
      'Q2',
      'legacy',
      'a change of the roots is told',
      tested([INBOUND, 'are answered as they are at the moment, and changes are told where the revision has a word for it']),
    ),
    must(
      'Q3',
      'both',
      'roots are `file:` URIs',
      tested([INBOUND, 'that are no plain file URI are a TypeError, and the old ones stay: %j']),
    ),
    must('Q5', 'both', 'only what is permitted is exposed', tested([INBOUND, 'cannot be set when they were not declared'])),
    must('W2', 'both', 'tools are refused where they were not declared', tested([INBOUND, 'refuses %s and asks nobody'])),
    must(
      'W3',
      'both',
      '`maxTokens` is respected',
      host('the handler calls the model; it gets `maxTokens` as it came', [INBOUND, 'hands over everything that the server sent']),
    ),
    must(
      'W4',
      'both',
      'hints are read in order',
      host('the handler chooses the model; it gets the hints in order', [INBOUND, 'hands over everything that the server sent']),
    ),
    must(
      'W9',
      'both',
      'sensitive data is handled with care',
      host('the handler sees the messages; nothing of them is kept or logged here'),
    ),
    must('X1', 'both', 'at least one mode is declared', tested([ROUNDS, 'are declared by what is registered and by nothing else: %j'])),
    must(
      'X2',
      'both',
      'a missing mode is a form',
      tested([INBOUND, 'hands the request over with its mode, also when the server names none']),
    ),
    must('X3', 'both', 'a mode that was not declared is refused', tested([INBOUND, 'refuses %s with -32602 and asks nobody'])),
    must(
      'X4',
      'both',
      'the person sees who asks, and may decline and cancel',
      host('the handler shows it; the command does so', ['test/cli/terminal.test.ts', 'Escape in a form answers with cancel']),
    ),
    must(
      'X8',
      'both',
      'a URL is shown whole, opened with consent only, and never fetched',
      tested(['test/cli/terminal.test.ts', 'a page to visit is shown as a whole URL with its host, and needs a yes']),
    ),
    must(
      'X10',
      'legacy',
      'completions of unknown elicitations are ignored',
      tested(['test/unit/features/pages-asked.test.ts', 'is not told of ids that nobody was asked about, and still is a notification']),
    ),
  ],
}

export const rounds: Area = {
  title: 'rounds of questions',
  requirements: [
    must(
      'Y1',
      'modern',
      'all answers are there before the request goes out again',
      tested([ROUNDS, 'ends the other handlers when one refuses, and sends no half of the answers']),
    ),
    must(
      'Y2',
      'modern',
      'the state goes back as it came, and none is made up',
      tested([ROUNDS, 'carries the state back exactly: %j'], [ROUNDS, 'carries no state when it is %s']),
    ),
    must(
      'Y3',
      'modern',
      'the request that goes out again has a new id',
      tested([ROUNDS, 'goes out again with the answers under their keys, the same parameters and a new id']),
    ),
    must('Y4', 'modern', 'answers and state stand on no other request', tested([ROUNDS, 'leaves no trace on other calls'])),
    must(
      'Y10',
      'modern',
      'a server cannot rely on being asked again: we may stop',
      tested([ROUNDS, 'may ask maxRounds times, %i, and no more']),
    ),
    must('Y9', 'modern', 'what such a request brings is not cached', tested([CACHING, 'that the server had to ask for are not kept'])),
  ],
}

export const subscriptions: Area = {
  title: 'subscriptions, caching, pagination',
  requirements: [
    must(
      'Z3',
      'modern',
      'on a pipe subscriptions are told apart by id',
      tested([LIVE, 'is matched by the id as it was sent, number or text']),
    ),
    must(
      'Z6',
      'modern',
      'after a reconnect the listening begins again',
      tested(['test/behaviour/live.test.ts', 'subscriptions, loops, listeners and the log level are back']),
    ),
    must('N1', 'both', 'cursors are opaque', tested([LISTS, 'can be walked page by page, from any cursor'])),
    must(
      'N4',
      'legacy',
      'cursors do not outlive a session',
      listed('no cursor is kept: `pages` hands them to the caller, who alone could'),
    ),
    must(
      'CA1',
      'modern',
      'a cached answer serves its own method and parameters only',
      tested(
        [CACHE, 'serves who asked for it, for what was asked, until its time is over'],
        [CACHING, 'are kept by their URI as long as the server says'],
      ),
    ),
    must(
      'CA2',
      'modern',
      'what is private is not shared over authorization contexts',
      tested(
        [CACHE, 'does not serve another principal, whatever the names are'],
        [CACHING, 'with %j is neither served from what is held nor kept'],
      ),
    ),
    must('CA4', 'modern', 'polling has jitter and backoff', listed('nothing is polled: what is old is asked for when somebody wants it')),
    must(
      'CA7',
      'modern',
      'questions and what answers them bring are not cached',
      tested([CACHING, 'that the server had to ask for are not kept']),
    ),
  ],
}

export const safety: Area = {
  title: 'security practices',
  requirements: [
    must(
      'SP1',
      'both',
      'a command of a foreign configuration is shown whole and needs consent',
      tested(['test/unit/config/discover.test.ts', 'is not handed out before somebody agreed, and the refusal shows the whole command']),
    ),
  ],
}
