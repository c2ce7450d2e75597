import { done, open, row, type Section } from './row.ts'

const pack = 'test/package/package.test.ts'
const architecture = 'test/architecture.test.ts'

export const packaging: Section = {
  title: 'A. Package, platform, licence',
  rows: [
    row(
      1,
      'a client library by one line of dependencies',
      "import { connect } from 'mcp-switchboard'",
      'foundation',
      done([pack, 'the root exports these values']),
    ),
    row(
      2,
      'a second way to install',
      'npx mcp-switchboard, switchboard',
      'foundation',
      done([pack, 'npx runs the tarball by its file name']),
    ),
    row(
      3,
      'the oldest runtime is stated',
      'engines.node >= 20.19',
      'proof',
      open('proof', 'the suite on Node 22 and 26, Bun and Deno', ['.ci/run', 'test on Node 24']),
    ),
    row(4, 'few dependencies', 'at most 34 packages and 8 MB', 'foundation', done([pack, 'installs at most 34 packages and 8 MB'])),
    row(5, 'MIT licence', 'LICENSE', 'foundation', done([pack, 'holds the licence'])),
    row(
      6,
      'contributions and bug reports are welcome',
      'CONTRIBUTING.md, SECURITY.md, bugs',
      'foundation',
      done(['CONTRIBUTING.md', 'Bug reports and changes are welcome'], ['README.md', '[contributing](CONTRIBUTING.md)']),
    ),
    row(7, 'version and revisions can be read', 'VERSION, PROTOCOL_VERSIONS', 'foundation', done([pack, 'the root exports these values'])),
    row(
      8,
      'loading it does nothing; sign-in is loaded on demand',
      'mcp-switchboard/auth, no work at import',
      'oauth',
      open('oauth', 'mcp-switchboard/auth', [architecture, 'loading the built root loads no Node built-in']),
    ),
  ],
}
