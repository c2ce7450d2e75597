import { describe, expect, it } from 'vitest'
import { shellWords } from '../../../src/config/shell-words.ts'
import { readTarget } from '../../../src/config/target.ts'
import { demoServer } from '../../../src/testing/index.ts'
import { memoryTransport } from '../../../src/transport/memory.ts'

describe('a command line is split into words as a shell does, without being one', () => {
  it.each([
    ['node s.js', ['node', 's.js']],
    ['  node   s.js\t--x\n', ['node', 's.js', '--x']],
    [`node "a b" 'c d' e\\ f`, ['node', 'a b', 'c d', 'e f']],
    [`node a"b c"'d e'f`, ['node', 'ab cd ef']],
    [`node "" ''`, ['node', '', '']],
    [`node "say \\"hi\\"" 'it is \\'`, ['node', 'say "hi"', 'it is \\']],
    [`node "it's" '"'`, ['node', "it's", '"']],
    ['node C:\\dir\\file.js', ['node', 'C:\\dir\\file.js']],
    ['node "C:\\Program Files\\s.js"', ['node', 'C:\\Program Files\\s.js']],
    [
      'node s.js && echo $HOME | cat > *.txt; `x` $(y) #z',
      ['node', 's.js', '&&', 'echo', '$HOME', '|', 'cat', '>', '*.txt;', '`x`', '$(y)', '#z'],
    ],
    ['node \\"x\\"', ['node', '"x"']],
    ['node end\\', ['node', 'end\\']],
    ['node ä 日本 🙂', ['node', 'ä', '日本', '🙂']],
    ['', []],
    ['   ', []],
  ])('%j', (line, words) => {
    expect(shellWords(line)).toEqual(words)
  })

  it.each(['node "x', "node 'x", 'node x"', `node "a 'b' c`])('a quote that is not closed is a TypeError: %s', (line) => {
    expect(() => shellWords(line)).toThrow(TypeError)
    expect(() => shellWords(line)).toThrow(/not closed/)
  })
})

describe('a target', () => {
  it.each([
    ['https://host/api'],
    ['http://localhost:8931/mcp'],
    ['http://localhost:8000/sse'],
    ['http://localhost:8000/SSE/?key=1'],
    ['HTTPS://Host/Path?a=b&c=d#e'],
    ['http://0.0.0.0:1/'],
    ['http://[::1]:80/mcp'],
  ])('that is a URL is used as given: %s', (url) => {
    expect(readTarget(url)).toMatchObject({ kind: 'http', url, options: {} })
    expect(readTarget({ url })).toMatchObject({ kind: 'http', url })
  })

  it('that is a URL may be an object', () => {
    expect(readTarget(new URL('https://host/api?x=1'))).toMatchObject({ kind: 'http', url: 'https://host/api?x=1' })
    expect(readTarget({ url: new URL('https://host/api') })).toMatchObject({ kind: 'http', url: 'https://host/api' })
  })

  it.each(['npx', 'node', 'python', 'python3', 'uv', 'uvx', 'docker', 'deno', 'bun', 'bunx', 'ruby', 'php', 'java', 'cargo'])(
    'that starts with %s is a command line',
    (word) => {
      expect(readTarget(`${word} -y "a b" --url https://x`)).toEqual({
        kind: 'stdio',
        command: word,
        args: ['-y', 'a b', '--url', 'https://x'],
        options: {},
      })
    },
  )

  it.each<[unknown, string, string[]]>([
    ['go run ./server', 'go', ['run', './server']],
    ['  npx   x ', 'npx', ['x']],
    ['stdio://./server --x', './server', ['--x']],
    ['stdio://my-server "a b"', 'my-server', ['a b']],
    ['STDIO://my-server', 'my-server', []],
    [['node', 's.js'], 'node', ['s.js']],
    [['npx', 'x'], 'npx', ['x']],
    [['my-server', '--url', 'https://x'], 'my-server', ['--url', 'https://x']],
    [['./a b', 'c "d'], './a b', ['c "d']],
    [['node'], 'node', []],
    [['npx a', 'npx b'], 'npx a', ['npx b']],
    [{ command: 'a b', args: ['c d'] }, 'a b', ['c d']],
    [{ command: 'x' }, 'x', []],
    ['npx servers.json', 'npx', ['servers.json']],
  ])('%j is one command', (target, command, args) => {
    expect(readTarget(target)).toMatchObject({ kind: 'stdio', command, args })
  })

  it('that is an explicit server brings its options along, without the key of configuration files', () => {
    expect(readTarget({ command: 'x', type: 'stdio', env: { A: '1' }, timeoutMs: 5 })).toEqual({
      kind: 'stdio',
      command: 'x',
      args: [],
      options: { env: { A: '1' }, timeoutMs: 5 },
    })
    expect(readTarget({ url: 'https://x/', type: 'http', headers: { A: 'b' } })).toEqual({
      kind: 'http',
      url: 'https://x/',
      candidates: ['streamable-http', 'http'],
      options: { headers: { A: 'b' } },
    })
  })

  it('may be a transport, or a server in this process', () => {
    const server = demoServer()
    const transport = memoryTransport(server)
    expect(readTarget(server)).toEqual({ kind: 'memory', server, options: {} })
    expect(readTarget(transport)).toEqual({ kind: 'transport', transport, options: {} })
  })

  it.each<[unknown, RegExp]>([
    ['ftp://x', /ftp:\/\/x/],
    ['http://[', /valid URL/],
    ['', /stdio:\/\//],
    ['   ', /stdio:\/\//],
    ['./server --x', /\['\.\/server','--x'\].*'stdio:\/\/\.\/server --x'/],
    ['my-server', /\['my-server'\]/],
    ['npxx y', /known command/],
    ['nodeserver', /known command/],
    ['go build', /known command/],
    ['go', /known command/],
    ['stdio://', /no command/],
    ['stdio://   ', /no command/],
    ["npx 'open", /not closed/],
    ['servers.json', /connectGroup/],
    ['./a/mcp.JSONC', /connectGroup/],
    ['config.toml', /connectGroup/],
    [{ mcpServers: {} }, /connectGroup/],
    [{ servers: {} }, /connectGroup/],
    [['https://a', 'https://b'], /connectGroup/],
    [[{ command: 'a' }, { command: 'b' }], /connectGroup/],
    [['node', 5], /connectGroup/],
    [[], /connectGroup/],
    [{}, /command.*url/],
    [{ command: 5 }, /command.*url/],
    [{ command: 'a', url: 'https://b' }, /command.*url/],
    [{ command: 'a', args: 'b' }, /args/],
    [{ command: 'a', args: [1] }, /args/],
    [{ url: 'nonsense' }, /valid URL/],
    [{ url: 'ftp://host/x' }, /ftp/],
    [{ url: 'file:///etc/passwd' }, /file/],
    [new URL('ftp://host/x'), /ftp/],
    [null, /null/],
    [undefined, /undefined/],
    [5, /number/],
  ])('that is none is a TypeError which says what to do: %j', (target, message) => {
    expect(() => readTarget(target)).toThrow(TypeError)
    expect(() => readTarget(target)).toThrow(message)
  })

  it('of a thousand words is named in a message of bounded length', () => {
    const error = (() => {
      try {
        readTarget(`x${' y'.repeat(100_000)}`)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(TypeError)
  })
})
