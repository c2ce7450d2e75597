// Bundles every published entry and writes the type declarations. What is loaded lazily stays a chunk of its own.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** What the package's `exports`, `imports` and `bin` point at. */
const entries = {
  index: 'src/index.ts',
  transport: 'src/transport/index.ts',
  config: 'src/config/index.ts',
  store: 'src/store/index.ts',
  testing: 'src/testing/index.ts',
  tracing: 'src/tracing/index.ts',
  stdio: 'src/transport/stdio/stdio.ts',
  'stdio-none': 'src/transport/stdio-none.ts',
  'http-node': 'src/transport/http/http-node.ts',
  'http-web': 'src/transport/http/http-web.ts',
  'config-files': 'src/config/files/config-files.ts',
  'config-files-none': 'src/config/files-none.ts',
  cli: 'src/cli/main.ts',
}

rmSync(dist, { recursive: true, force: true })
await build({
  cwd: root,
  input: entries,
  // The package's own names are resolved at run time by condition; dependencies stay dependencies.
  external: [/^#/, /^node:/, /^mcp-switchboard/, ...Object.keys(dependencies), ...Object.keys(peerDependencies)],
  platform: 'neutral',
  resolve: { conditionNames: ['switchboard-source', 'import', 'default'], mainFields: ['module', 'main'] },
  output: {
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Their place is in the declarations; here they would be read at every start.
    comments: { jsdoc: false, legal: true, annotation: true },
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  },
})
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
