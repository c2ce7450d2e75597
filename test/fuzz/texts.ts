import { shellWords } from '../../src/config/shell-words.ts'
import { peerText } from '../../src/protocol/peer-text.ts'
import { errorIn } from '../../src/transport/http/error-body.ts'
import { retryAfter } from '../../src/transport/http/http-error.ts'
import { bodyForm } from '../../src/transport/http/media-type.ts'
import { isSessionId, namesSession } from '../../src/transport/http/session-id.ts'
import { idAtEdge } from '../../src/transport/id-at-edge.ts'
import { type FuzzTarget, json, must, same, text } from './target.ts'

const COMMANDS = ['node', ' ', ' ', '\t', '"', "'", '\\', '\\"', 'a b', '$HOME', '&&', '|', 'é', 'C:\\x', '\n'] as const

export const commandLines: FuzzTarget<{ line: string; words: string[] }> = {
  name: 'shell-words',
  input: (dice) => ({ line: text(dice, COMMANDS), words: Array.from({ length: dice.int(5) }, () => text(dice, COMMANDS, 6)) }),
  check({ line, words }) {
    try {
      for (const word of shellWords(line)) must(typeof word === 'string', 'no word', word)
    } catch (error) {
      must(error instanceof TypeError, 'an error that is not documented', String(error))
    }
    // Whatever is quoted in either way comes back as it was.
    same(shellWords(words.map(single).join(' ')), words, 'single quotes changed a word')
    same(shellWords(words.map(double).join('\t ')), words, 'double quotes changed a word')
  },
  growing: {
    words: (size) => () => void shellWords('a '.repeat(size / 2)),
    'one word': (size) => () => void shellWords('a'.repeat(size)),
    backslashes: (size) => () => void shellWords('\\'.repeat(size)),
    'empty quotes': (size) => () => void shellWords('""'.repeat(size / 2)),
  },
}

function single(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`
}

function double(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

const KEYS = ['id', 'result', 'jsonrpc', 'error', 'x'] as const

export const edges: FuzzTarget<Record<string, unknown>> = {
  name: 'id-at-edge',
  input(dice) {
    const members: [string, unknown][] = [
      ['jsonrpc', '2.0'],
      ['id', dice.pick([1, 12, 'a', 'a-b', '"', 1.5, -1, 1e21, null, 'é'])],
      ['result', { x: json(dice, KEYS), id: dice.int(9), more: 'y'.repeat(dice.int(1_200)) }],
    ]
    const order = dice.pick(['012', '120', '201', '021', '10', '12'])
    return Object.fromEntries([...order].map((at) => members[Number(at)] ?? ['x', 1]))
  },
  check(message) {
    const whole = JSON.stringify(message)
    const id = idAtEdge(whole.slice(0, 512), whole.slice(-512))
    must(id === undefined || id === message.id, 'the id of something else', whole, id)
  },
  growing: {
    blanks: (size) => () => void idAtEdge(' '.repeat(size), ' '.repeat(size)),
    commas: (size) => () => void idAtEdge(','.repeat(size), ',"id":1'.repeat(size / 7)),
    'blanks behind a comma': (size) => () => void idAtEdge('', `,${' '.repeat(size)}`),
  },
}

const SHOWN = ['a', '\u001b[31m', '\r\n', '\0', '\u202e', '\u2028', '🙂', '\ud800', '\ufeff', 'é'] as const

export const peerTexts: FuzzTarget<string> = {
  name: 'peer-text',
  input: (dice) => text(dice, SHOWN, 60),
  check(value) {
    const shown = peerText(value, 20)
    // Each character is at most six when it is escaped.
    must(shown.length <= 20 * 6 + 40, 'longer than its limit', shown)
    must(!/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e]/u.test(shown), 'holds what is not safe to show', shown)
  },
  growing: {
    'what is escaped': (size) => () => void peerText('\u001b'.repeat(size), size),
    'what is cut': (size) => () => void peerText('x'.repeat(size), 100),
  },
}

const HEADERS = [
  'application/json',
  'text/event-stream',
  ';',
  ',',
  ' ',
  'charset=utf-8',
  '+json',
  'Mon, 01 Jan 2024 00:00:00 GMT',
  '120',
  '-1',
  '1e9',
  'x',
  '\t',
  '{"error":{"code":1,"message":"session"},"id":1}',
  '[',
  '<html>',
] as const

export const replies: FuzzTarget<string> = {
  name: 'reply-texts',
  input: (dice) => text(dice, HEADERS, 8),
  check(value) {
    must(['json', 'events', 'other'].includes(bodyForm(value)), 'no form', value)
    const ms = retryAfter({ status: 503, header: () => value })
    must(ms === undefined || (Number.isFinite(ms) && ms >= 0), 'no time to wait', value, ms)
    const found = errorIn(value, 1)
    must(found === undefined || typeof found.error.code === 'number', 'no error', value)
    namesSession(found, value)
    if (isSessionId(value)) must(/^[\x21-\x7e]+$/.test(value), 'no session id', value)
  },
  growing: {
    'a media type': (size) => () => void bodyForm(`${' '.repeat(size)}x`),
    'a time to wait': (size) => () => void retryAfter({ status: 503, header: () => '9'.repeat(size) }),
    'an error page': (size) => () => void namesSession(undefined, 'session'.repeat(size / 7)),
  },
}
