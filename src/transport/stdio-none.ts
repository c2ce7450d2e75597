import { UnsupportedError } from '../errors.ts'
import type { Transport } from './transport.ts'

/** Stands for stdio where no process can be started. */
export function stdioTransport(options: { command: string }): Transport {
  throw new UnsupportedError(`"${options.command}" is a program, and this runtime cannot start one; reach the server by its URL`)
}
