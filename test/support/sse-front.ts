import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { InProcessServer, InProcessSession } from '../../src/transport/memory.ts'

/** Serves a server of this process over HTTP+SSE: one event stream and one conversation for each GET. */
export async function serveSse(server: InProcessServer): Promise<{ readonly url: string; close(): Promise<void> }> {
  const conversations = new Map<string, InProcessSession>()
  const open = (res: ServerResponse): void => {
    const id = `s${conversations.size + 1}`
    res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`event: endpoint\ndata: /messages?session=${id}\n\n`)
    const conversation = server.connect(
      (line) => res.write(`event: message\ndata: ${line}\n\n`),
      () => res.end(),
    )
    conversations.set(id, conversation)
    res.on('close', () => conversation.close())
  }
  const http = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://front')
    if (pathname === '/sse') {
      if (req.method === 'GET') open(res)
      else res.writeHead(405).end()
      return
    }
    const conversation = conversations.get(searchParams.get('session') ?? '')
    if (pathname !== '/messages' || req.method !== 'POST' || conversation === undefined) {
      res.writeHead(404).end()
      return
    }
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      res.writeHead(202).end()
      conversation.receive(Buffer.concat(parts).toString())
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/sse`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}
