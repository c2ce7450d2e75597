import { demoServer } from '../../src/testing/index.ts'

/** A demo server on stdin and stdout that says its pid on stderr. SIGUSR2 changes the clock and the list of tools. Arguments: the revisions. */
const server = demoServer({ versions: process.argv.slice(2) })
process.on('SIGUSR2', () => {
  server.tick()
  server.announce('tools')
})
process.stderr.write(`pid ${process.pid}\n`)
void server.serveStdio().closed.then(() => process.exit(0))
