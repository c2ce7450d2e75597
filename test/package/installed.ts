import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = join(dirname(fileURLToPath(import.meta.url)), '../..')

export interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a program to its end; its exit code is a result. */
export function run(command: string, args: readonly string[], cwd: string, timeout = 60_000): Promise<Run> {
  return new Promise((resolve) => {
    const options = { cwd, timeout, maxBuffer: 16 * 1024 * 1024, env: { ...process.env, NODE_OPTIONS: '', npm_config_loglevel: 'error' } }
    execFile(command, [...args], options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, out, err })
    })
  })
}

/** The package as its users get it: packed, and installed in a folder of its own. */
export interface Installed {
  readonly folder: string
  readonly tarball: string
  /** Paths in the tarball. */
  readonly files: readonly string[]
  remove(): void
}

/** A text instead of the package: why it could not be installed here. */
export async function install(): Promise<Installed | string> {
  if (!existsSync(join(root, 'dist/index.js'))) return 'there is no dist/: npm run build makes it'
  const ping = await run('npm', ['view', 'cross-spawn@7.0.6', 'version', '--fetch-retries=0', '--fetch-timeout=5000'], root, 20_000)
  if (ping.code !== 0) return 'the npm registry does not answer'
  const base = mkdtempSync(join(tmpdir(), 'switchboard-package-'))
  const folder = join(base, 'consumer')
  mkdirSync(folder)
  // What is packed is what was built: packing must not build again under the feet of other tests.
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', base], root)
  if (packed.code !== 0) throw new Error(`npm pack failed: ${packed.err}`)
  const [description] = JSON.parse(packed.out)
  const tarball = join(base, description.filename)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  const installed = await run('npm', ['install', '--no-audit', '--no-fund', tarball], folder, 120_000)
  if (installed.code !== 0) throw new Error(`npm install failed: ${installed.err}`)
  return {
    folder,
    tarball,
    files: description.files.map((file: { path: string }) => file.path),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** Packages below a `node_modules`, nested ones too. */
export function packagesIn(modules: string): string[] {
  const found: string[] = []
  for (const name of existsSync(modules) ? readdirSync(modules) : []) {
    if (name.startsWith('.')) continue
    const folders = name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name]
    for (const each of folders) {
      const { version } = JSON.parse(readFileSync(join(modules, each, 'package.json'), 'utf8'))
      found.push(`${each}@${version}`, ...packagesIn(join(modules, each, 'node_modules')))
    }
  }
  return found
}

/** The bytes of all files below a folder. */
export function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
