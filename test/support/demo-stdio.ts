import { demoServer } from '../../src/testing/index.ts'

/** A demo server on stdin and stdout. Arguments: the revisions that it speaks; none for all. */
const versions = process.argv.slice(2)
const serving = demoServer({ pageSize: 5, ...(versions.length > 0 && { versions }) }).serveStdio()
void serving.closed.then(() => process.exit(0))
