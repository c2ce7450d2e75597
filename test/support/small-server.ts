import type { InProcessServer } from '../../src/transport/memory.ts'

/** What a client sent. */
export interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: Record<string, unknown>
}

export interface SmallServerOptions {
  readonly name?: string
  /** Names of tools, or whole definitions. */
  readonly tools?: readonly (string | (Record<string, unknown> & { name: string }))[]
  readonly prompts?: readonly string[]
  readonly resources?: readonly string[]
  readonly templates?: readonly string[]
  readonly logging?: boolean
  /** Capabilities besides. */
  readonly capabilities?: Record<string, unknown>
  /** Answers a request instead of the server; undefined lets the server answer. */
  readonly answer?: (request: Message) => Record<string, unknown> | undefined
  /** Stays silent until this has resolved; `never` for ever. */
  readonly after?: Promise<void> | 'never'
  /** It cannot be reached so many times. */
  readonly refuse?: number
}

/** A server of the older revisions with a few things in it. It notes what it was asked, and can be changed while it runs. */
export interface SmallServer extends InProcessServer {
  tools: (Record<string, unknown> & { name: string })[]
  readonly requests: Message[]
  opened: number
  closed: number
  /** Says something to every client. */
  tell(method: string, params?: Record<string, unknown>): void
  /** Ends every conversation. */
  end(): void
}

export function smallServer(options: SmallServerOptions = {}): SmallServer {
  const sessions = new Set<{ send(message: unknown): void; end(): void }>()
  const definition = (tool: string | (Record<string, unknown> & { name: string })): Record<string, unknown> & { name: string } =>
    typeof tool === 'string' ? { name: tool, inputSchema: { type: 'object' } } : tool
  const server: SmallServer = {
    name: options.name ?? 'small',
    tools: (options.tools ?? []).map(definition),
    requests: [],
    opened: 0,
    closed: 0,
    tell(method, params) {
      for (const { send } of sessions) send({ jsonrpc: '2.0', method, ...(params && { params }) })
    },
    end() {
      for (const session of [...sessions]) session.end()
    },
    connect(send, end) {
      server.opened++
      if (server.opened <= (options.refuse ?? 0)) throw new Error(`${server.name} is out of order`)
      const session = { send: (message: unknown) => send(JSON.stringify(message)), end }
      sessions.add(session)
      const receive = (request: Message): void => {
        server.requests.push(request)
        if (request.id === undefined) return
        const result = options.answer?.(request) ?? answerOf(request)
        session.send({ jsonrpc: '2.0', id: request.id, ...(result && 'error' in result ? result : { result }) })
      }
      return {
        receive(line) {
          const request: Message = JSON.parse(line)
          if (options.after === 'never') return
          if (options.after === undefined) receive(request)
          else void options.after.then(() => receive(request))
        },
        close() {
          server.closed++
          sessions.delete(session)
        },
      }
    },
  }
  const answerOf = ({ method, params }: Message): Record<string, unknown> => {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: '2025-06-18',
          serverInfo: { name: server.name, version: '1' },
          capabilities: {
            tools: { listChanged: true },
            ...(options.prompts && { prompts: {} }),
            ...((options.resources || options.templates) && { resources: {} }),
            ...(options.logging && { logging: {} }),
            ...options.capabilities,
          },
        }
      case 'tools/list':
        return { tools: server.tools }
      case 'tools/call':
        return { content: [{ type: 'text', text: `${server.name}: ${String(params?.name)}` }] }
      case 'prompts/list':
        return { prompts: (options.prompts ?? []).map((name) => ({ name })) }
      case 'prompts/get':
        return { messages: [], description: `${server.name}: ${String(params?.name)}` }
      case 'resources/list':
        return { resources: (options.resources ?? []).map((uri) => ({ uri, name: uri })) }
      case 'resources/templates/list':
        return { resourceTemplates: (options.templates ?? []).map((uriTemplate) => ({ uriTemplate, name: uriTemplate })) }
      case 'resources/read':
        return { contents: [{ uri: params?.uri, text: server.name }] }
      case 'ping':
      case 'logging/setLevel':
        return {}
      default:
        return { error: { code: -32601, message: `no ${method}` } }
    }
  }
  return server
}
