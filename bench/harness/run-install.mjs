/**
 * The install job: this repository packed and installed into an empty folder; how many packages that brings and how large they
 * are together. The rivals are counted in this folder's own lock and node_modules. Without a registry the job is skipped.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { reasonIn } from './reason.mjs'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BENCH = fileURLToPath(new URL('..', import.meta.url))
const PACKAGES = { v1: ['@modelcontextprotocol/sdk'], v2: ['@modelcontextprotocol/client'], aisdk: ['@ai-sdk/mcp', 'zod'] }

export async function runInstall(job, { samples, log }) {
  for (const client of job.clients) {
    try {
      const numbers = client === 'ours' ? await installPacked() : await countInstalled(PACKAGES[client])
      samples.add(job.id, client, 'install', 0, [numbers])
    } catch (error) {
      const why = reasonIn(error.stderr || error.message)
      if (client === 'ours') samples.skip(job.id, `npm could not install it: ${why}`)
      else samples.fail(job.id, client, why)
    }
  }
  log('.')
}

async function installPacked() {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-bench-'))
  try {
    // dist is taken as it is: it is what every other row has measured.
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: ROOT,
      timeout: 60_000,
    })
    const [{ filename }] = Object.values(JSON.parse(stdout))
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--prefer-offline', '--ignore-scripts', '--fetch-retries=0', '--fetch-timeout=20000', `./${filename}`], {
      cwd: folder,
      timeout: 120_000,
    })
    const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
    return { packages: Object.keys(lock.packages).length, mb: (await bytesIn(join(folder, 'node_modules'))) / 1e6 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Everything that these packages reach through their dependencies, as npm has laid it out here. */
async function countInstalled(names) {
  const { packages } = JSON.parse(await readFile(join(BENCH, 'package-lock.json'), 'utf8'))
  const reached = new Set()
  const open = names.map((name) => `node_modules/${name}`)
  while (open.length > 0) {
    const place = open.pop()
    if (reached.has(place)) continue
    reached.add(place)
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[place]
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
    for (const name of [...Object.keys(dependencies), ...peers]) open.push(locate(packages, place, name))
  }
  let bytes = 0
  for (const place of reached) bytes += await bytesIn(join(BENCH, place), true)
  return { packages: reached.size, mb: bytes / 1e6 }
}

/** Node's rule: the nearest node_modules on the way up. */
function locate(packages, place, name) {
  for (let at = place; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const nested = `${at}/node_modules/${name}`
    if (packages[nested]) return nested
  }
  return `node_modules/${name}`
}

async function bytesIn(folder, ownOnly = false) {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile()) bytes += (await stat(path)).size
    else if (entry.isDirectory() && !(ownOnly && entry.name === 'node_modules')) bytes += await bytesIn(path, ownOnly)
  }
  return bytes
}
