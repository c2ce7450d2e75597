import { connect } from '../../src/index.ts'
import { child } from './child-servers.ts'

/** A program that opens two servers, says their process ids and then ends in the way that its argument names. */
const POLITE = `modern(); tools(() => text(process.pid))`
const clients = [await connect(child(POLITE)), await connect(child(`${POLITE}; setInterval(() => {}, 1000)`))]
const pids = await Promise.all(clients.map(async (client) => Number((await client.callTool('pid')).text)))
console.log(JSON.stringify(pids))
const [, , how] = process.argv
if (how === 'exit') process.exit(0)
if (how === 'throw') {
  process.on('uncaughtException', () => process.exit(1))
  setTimeout(() => {
    throw new Error('the host fails')
  })
}
