// Sends one request to the URL in the arguments and prints its result: for what a process reads only when it starts.
import { limitsOf } from '../../src/limits.ts'
import { streamableHttpTransport } from './http-target.ts'

const connection = await streamableHttpTransport(process.argv[2] ?? '').open(() => {}, { limits: limitsOf() })
const answer = await connection.exchange({ jsonrpc: '2.0', id: 1, method: 'x' })
console.log(JSON.stringify('result' in answer ? answer.result : answer))
await connection.close()
