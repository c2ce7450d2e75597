export type {
  JSONRPCErrorObject,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  Params,
  RequestId,
} from '../jsonrpc/message.ts'
export { type InProcessServer, type InProcessSession, memoryTransport } from './memory.ts'
export { type Pipe, type PipeEnd, pipeConnection } from './pipe-connection.ts'
export type { Answer, Connection, ExchangeOptions, Inbound, LinkTerms, OpenOptions, Transport } from './transport.ts'
