import { isUtf8 } from 'node:buffer'
import { LineFraming } from '../../src/transport/stdio/line-framing.ts'
import { cuts, type FuzzTarget, must, same, text } from './target.ts'

interface Lines {
  readonly bytes: Buffer
  readonly max: number
}

const FRAGMENTS = ['\n', '\n', '\r\n', '{"a":1}', 'x', 'é', '€', '🙂', ' ', '\0', 'xxxxxxxxxxxxxxxxxxxxxxxx'] as const
/** What is no UTF-8: cut, overlong, lone, and surrogates. */
const BROKEN: readonly [readonly number[], ...(readonly number[])[]] = [
  [0xff],
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x99],
  [0x80],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
]

export const lineFraming: FuzzTarget<Lines> = {
  name: 'line-framing',
  input(dice) {
    const parts: Buffer[] = []
    for (let left = 1 + dice.int(4); left > 0; left--) {
      parts.push(Buffer.from(text(dice, FRAGMENTS)))
      if (dice.chance(0.3)) parts.push(Buffer.from(dice.pick(BROKEN)))
    }
    // Now and then a line is so long that it is kept in another way.
    if (dice.chance(0.01)) parts.push(Buffer.alloc(262_100 + dice.int(100), dice.pick(['x', 'é', '🙂'])))
    return { bytes: Buffer.concat(parts), max: dice.pick([1, 5, 16, 40, 300_000, 1_000_000]) }
  },
  check({ bytes, max }, dice) {
    const whole = read([bytes], max)
    const at = cuts(dice, bytes.length)
    same(
      read(
        at.slice(1).map((end, index) => bytes.subarray(at[index], end)),
        max,
      ),
      whole,
      'other chunks, other lines',
    )
    if (bytes.length < 500)
      same(
        read(
          Array.from(bytes, (byte) => Buffer.of(byte)),
          max,
        ),
        whole,
        'byte by byte there are other lines',
      )
    for (const line of whole.lines) must(!line.includes('\n'), 'a line holds a line break', line)
    // How long a line is that is no UTF-8 is not promised: what stands for its bytes may be longer than they are.
    if (!isUtf8(bytes)) return
    const expected = reference(bytes, max)
    same(whole.lines, expected.lines, 'not the lines that stand there')
    must(whole.tooLong === expected.tooLong, 'not the lines that are too long', whole.tooLong, expected.tooLong)
  },
  growing: {
    'one line in small chunks': (size) => chunked(Buffer.alloc(size, 'x'), 64),
    'many short lines': (size) => chunked(Buffer.from('x\n'.repeat(size / 2)), 65_536),
    'a line that is skipped': (size) => chunked(Buffer.alloc(size, 'x'), 64, 1_000),
  },
}

function chunked(bytes: Buffer, chunk: number, max = 1e9): () => void {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk))
  return () => void read(chunks, max)
}

function read(chunks: readonly Buffer[], max: number): { lines: string[]; tooLong: number } {
  const seen = { lines: [] as string[], tooLong: 0 }
  const framing = new LineFraming({ line: (line) => void seen.lines.push(line), tooLong: () => void seen.tooLong++ }, max)
  for (const chunk of chunks) framing.push(chunk)
  framing.end()
  return seen
}

/** The obvious way, all at once. */
function reference(bytes: Buffer, max: number): { lines: string[]; tooLong: number } {
  const seen = { lines: [] as string[], tooLong: 0 }
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf(10)
    const line = end === -1 ? rest : rest.subarray(0, end)
    rest = end === -1 ? rest.subarray(rest.length) : rest.subarray(end + 1)
    if (line.length > max) seen.tooLong++
    else if (line.length > 0) seen.lines.push(line.toString('utf8'))
  }
  return seen
}
