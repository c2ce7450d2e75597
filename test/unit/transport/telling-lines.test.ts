import { describe, expect, it } from 'vitest'
import { tellingLines } from '../../../src/transport/stdio/telling-lines.ts'

const NODE = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/srv/missing.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2`

const ESM = `  throw new ERR_MODULE_NOT_FOUND(packageName);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope' imported from /srv/a.js
    at packageResolve (node:internal/modules/esm/resolve:873:9) {
  code: 'ERR_MODULE_NOT_FOUND'
}
`

const PYTHON = `Traceback (most recent call last):
  File "server.py", line 4, in <module>
ZeroDivisionError: division by zero

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "server.py", line 2, in f
ModuleNotFoundError: No module named 'mcp'`

const NPM = `npm error code E404
npm error 404 Not Found - GET https://registry.example/no-such
npm error 404
npm error 404 Note that you can also install from a
npm error A complete log of this run can be found in: /home/a/.npm/_logs/x.log`

const RUST = `thread 'main' (5357) panicked at main.rs:1:11:
no token was given
stack backtrace:
   0: std::panicking::begin_panic`

const WORDS = 'starting up\nlistening to nobody\n\nthe variable API_KEY is not set\ngood bye\n'

describe('the lines of stderr that an error quotes', () => {
  it.each([
    ['a module that Node misses', NODE, "Error: Cannot find module '/srv/missing.js'"],
    ['one that an import misses', ESM, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope' imported from /srv/a.js"],
    ['the last of two errors of Python', PYTHON, "ModuleNotFoundError: No module named 'mcp'"],
    ['the first lines of npm', NPM, 'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/no-such\nnpm error 404'],
    ['a panic with its words', RUST, "thread 'main' (5357) panicked at main.rs:1:11:\nno token was given"],
    ['the end of plain words', WORDS, 'listening to nobody\nthe variable API_KEY is not set\ngood bye'],
    ['nothing of nothing', '\n\n', ''],
  ])('are %s', (_name, stderr, quoted) => {
    expect(tellingLines(stderr)).toBe(quoted)
  })

  it('are found in linear time', () => {
    expect(tellingLines(`${'error '.repeat(10_000)}\n`.repeat(20)).split('\n')).toHaveLength(3)
  })
})
