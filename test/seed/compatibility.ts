import { done, later, open, row, type Section } from './row.ts'

export const compatibility: Section = {
  title: 'U. Servers of others',
  rows: [
    row(269, 'the file server of the protocol', 'stdio', 'proof', done(['interop/rows.mjs', "row('server-filesystem', 'stdio', 'auto'"])),
    ...later(
      'proof',
      [270, 'the browser server', 'stdio and HTTP, on a real browser'],
      [271, 'FastMCP in Python', 'stdio, HTTP+SSE, Streamable HTTP'],
    ),
    row(
      272,
      'servers of your own',
      'the official SDKs, and our demo server',
      'proof',
      open('proof', 'SDKs of other languages', ['interop/rows.mjs', "row('official v2', 'http', 'auto'"]),
    ),
    ...later('examples', [273, 'two lines against a FastMCP server', 'the same two lines']),
  ],
}
