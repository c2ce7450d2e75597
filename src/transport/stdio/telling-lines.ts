/** How programs of many languages begin the line that says what went wrong. */
const SAYS_WHY =
  /^\s*(?:npm (?:error|ERR!)|(?:uncaught |unhandled )?(?:error|fatal|panic|exception)\b|[\w.$]*(?:Error|Exception)\b|thread '[^']*'(?: \(\d+\))? panicked)/i
/** What follows such a line without saying more. */
const TRACE = /^\s*(?:at |\^|$|[{}]|stack backtrace|Node\.js v)/
const LINES = 3

/** The lines of a dead program's stderr that say best why it died, at most three: the last error it names, else how it ended. */
export function tellingLines(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trimEnd())
  let from = lines.findLastIndex((line) => SAYS_WHY.test(line))
  if (from === -1)
    return lines
      .filter((line) => line !== '')
      .slice(-LINES)
      .join('\n')
  while (SAYS_WHY.test(lines[from - 1] ?? '')) from--
  const rest = lines.slice(from, from + LINES)
  const end = rest.findIndex((line, index) => index > 0 && TRACE.test(line))
  return rest.slice(0, end === -1 ? LINES : end).join('\n')
}
