import { CONNECT_OPTIONS, type OptionSpec, OUTPUT_OPTIONS, port, SERVERS_OPTIONS } from './options.ts'

/** One command, as its help and its parser need to know it. */
export interface CommandSpec {
  readonly name: string
  /** What stands behind the name. */
  readonly usage: string
  readonly about: string
  /** Lines between usage and options. */
  readonly notes: readonly string[]
  readonly options: readonly OptionSpec[]
  readonly examples: readonly string[]
}

const TARGETS: readonly string[] = [
  '<target> is one of',
  '  demo                          the built-in demo server',
  '  https://host/mcp              a server behind a URL',
  '  name                          a server of Claude, Cursor, VS Code, Codex, … by its name',
  '  file.json:name                a server of a configuration file; JSON, TOML or YAML',
  "  'npx -y some-server'          a command line that starts with a known program, in quotes",
  "  'stdio://./server --flag'     any other command line",
  '  … -- ./server --flag          last on the line, in place of <target>: a command, word for word',
]

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'tools',
    usage: '<target>',
    about: 'list the tools of a server',
    notes: [...TARGETS, '', 'JSON: { server, protocolVersion, transport, tools }, the tools as their server defines them'],
    options: [...CONNECT_OPTIONS, ...OUTPUT_OPTIONS],
    examples: [
      'switchboard tools demo',
      'switchboard tools demo --json',
      'switchboard tools -- npx -y @modelcontextprotocol/server-filesystem .',
    ],
  },
  {
    name: 'servers',
    usage: '[file]',
    about: 'list the configured servers, where they come from, and how it stands with each',
    notes: [
      'Without a file: the servers of Claude, Cursor, VS Code, Codex, … on this machine. Each is reached, at most 8 at once, and left again.',
      'States: ready, failed, disabled, shadowed (another of this name wins), unknown (not asked)',
      '',
      'JSON: { servers, files }; a server has name, state, origin, kind, protocolVersion, transport, server, tools, connectMs, error',
      'Exit codes: 0 every server that is switched on could be reached · 1 one failed · 2 usage, a file that cannot be read · 130 interrupted',
    ],
    options: [...SERVERS_OPTIONS, ...OUTPUT_OPTIONS],
    examples: ['switchboard servers', 'switchboard servers --no-connect', 'switchboard servers .mcp.json --json'],
  },
  {
    name: 'call',
    usage: '<target> <tool> [key=value …]',
    about: 'call a tool of a server',
    notes: [
      ...TARGETS,
      '',
      'Arguments',
      "  key=value         read by the tool's schema: a string stays as it is, other types are read as JSON",
      '  key:=json         JSON whatever the schema says',
      '  key=@file         the text of a file, read the same way',
      '  key=-             the text of stdin, read the same way',
      '  -                 all arguments as one JSON object from stdin',
      '',
      'JSON: the result as the server sent it',
      'Exit codes: 0 ok · 2 usage, no such tool · 3 authorization · 4 unreachable, nothing sent · 5 the tool failed',
      '            9 sent, but no answer came: it may have run · 130 interrupted · 1 anything else',
    ],
    options: [
      { flags: '--args <json>', about: 'all arguments as one JSON object; key=value wins over it' },
      ...CONNECT_OPTIONS,
      ...OUTPUT_OPTIONS,
    ],
    examples: ['switchboard call demo echo message=hi', 'switchboard call demo add a=1 b=2 --json', 'switchboard call demo slow steps=20'],
  },
  {
    name: 'serve-demo',
    usage: '',
    about: 'run the demo server on stdio or over HTTP',
    notes: ['On stdio it serves one client. With --http its URL is the first line on stdout, and Ctrl-C ends it.'],
    options: [
      { flags: '--http', about: 'serve Streamable HTTP on the loopback address' },
      { flags: '--port <port>', about: 'with --http: listen there (0, any free port)', read: port },
      { flags: '--era <era>', about: 'both, legacy, modern or a revision such as 2025-11-25 (both)' },
      ...OUTPUT_OPTIONS,
    ],
    examples: ['switchboard serve-demo --http', 'switchboard tools -- switchboard serve-demo --era legacy'],
  },
]
