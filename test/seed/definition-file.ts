import { later, type Section } from './row.ts'

export const definitionFile: Section = {
  title: 'P. Server definition file',
  rows: later(
    'servers',
    [191, 'an object of servers by name', '{ mcpServers }'],
    [192, 'a process: command and args', "type: 'stdio'"],
    [193, 'Streamable HTTP', "type: 'streamable_http'"],
    [194, 'plain JSON over HTTP', "type: 'http'"],
    [195, 'HTTP+SSE, and the kind inferred', "type: 'sse', or none"],
    [196, 'url, headers, endpoint, env', 'the same keys'],
    [197, 'an array, or one server, at the root', 'read as the same'],
    [198, 'comments and loose values are forgiven', 'read, with warnings'],
    [199, 'a missing or broken file', 'ConfigError with file, line and column'],
  ),
}
