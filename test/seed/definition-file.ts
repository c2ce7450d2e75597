import { different, done, row, type Section } from './row.ts'

const load = 'test/unit/config/load-servers.test.ts'
const files = 'test/unit/config/files.test.ts'
const kinds = 'test/behaviour/servers-of-a-file.test.ts'
const members = [load, '%s'] as const

export const definitionFile: Section = {
  title: 'P. Server definition file',
  rows: [
    row(191, 'an object of servers by name', '{ mcpServers }', 'servers', done([kinds, 'of every kind are reached as their type says'])),
    row(192, 'a process: command and args', "type: 'stdio'", 'servers', done([kinds, 'of every kind are reached as their type says'])),
    row(
      193,
      'Streamable HTTP',
      "type: 'streamable_http'",
      'servers',
      done([kinds, 'of every kind are reached as their type says'], members),
    ),
    row(
      194,
      'plain JSON over HTTP',
      "type: 'http'",
      'servers',
      different('hosts mean Streamable HTTP by it, so that is asked for first, and plain JSON on evidence: files of both work', [
        kinds,
        'of every kind are reached as their type says',
      ]),
    ),
    row(
      195,
      'HTTP+SSE, and the kind inferred',
      "type: 'sse', or none",
      'servers',
      done([kinds, 'of every kind are reached as their type says'], members),
    ),
    row(
      196,
      'url, headers, endpoint, env',
      'the same keys',
      'servers',
      done(members, [kinds, 'of every kind are reached as their type says']),
    ),
    row(197, 'an array, or one server, at the root', 'read as the same', 'servers', done([files, 'may be %s'])),
    row(
      198,
      'comments and loose values are forgiven',
      'read, with warnings',
      'servers',
      done(members, [load, '%j is a name like others'], [load, 'comments beside servers are none']),
    ),
    row(
      199,
      'a missing or broken file',
      'ConfigError with file, line and column',
      'servers',
      done([files, 'because it %s, says where and what to do'], [files, 'because it is missing, or no file, says that']),
    ),
  ],
}
