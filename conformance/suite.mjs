// The suite's command: which cells there are, and what one of them says.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance')
const preload = pathToFileURL(join(here, 'preload.mjs')).href
const client = join(here, 'client.mjs')

export const suiteVersion = () => JSON.parse(readFileSync(join(suite, 'package.json'), 'utf8')).version

function suiteCommand(args, env = {}) {
  return new Promise((resolve) => {
    const started = performance.now()
    const child = spawn(process.execPath, ['--import', preload, join(suite, 'dist/index.js'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (data) => {
      out += data
    })
    child.stderr.on('data', (data) => {
      err += data
    })
    child.on('close', (code) => resolve({ code, out, err, ms: Math.round(performance.now() - started) }))
  })
}

/** Every scenario for clients at every revision it exists in; those of extensions stand beside the revisions. */
export async function listCells() {
  const { code, out, err } = await suiteCommand(['list', '--client'])
  if (code !== 0) throw new Error(`the suite does not list its scenarios: ${err.slice(-2000)}`)
  const cells = []
  for (const [, scenario, tags = ''] of out.matchAll(/^\s+- (\S+)(?: \[(.*)\])?$/gm)) {
    const names = tags.split(',').map((tag) => tag.trim())
    const revisions = names.includes('extension') ? ['extension'] : names.filter((name) => /^\d{4}-\d\d-\d\d$/.test(name))
    for (const version of revisions) cells.push({ scenario, version })
  }
  return cells
}

/** Runs one cell and counts its checks. */
export async function runCell({ scenario, version }, { out, era, timeoutMs }) {
  const folder = join(out, version, scenario.replaceAll('/', '__'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const command = `"${process.execPath}" "${client}"`
  const args = ['client', '--command', command, '--scenario', scenario, '--timeout', String(timeoutMs), '-o', folder]
  if (version !== 'extension') args.push('--spec-version', version)
  const run = await suiteCommand(args, era === undefined ? {} : { SWITCHBOARD_CONFORMANCE_ERA: era })
  writeFileSync(join(folder, 'command.log'), `${run.out}\n${run.err}`)
  const file = readdirSync(folder, { recursive: true }).find((name) => String(name).endsWith('checks.json'))
  const checks = file === undefined ? [] : JSON.parse(readFileSync(join(folder, String(file)), 'utf8'))
  const count = (status) => checks.filter((check) => check.status === status).length
  return {
    scenario,
    version,
    ms: run.ms,
    exit: run.code,
    verdict: run.code !== 0 ? 'fail' : count('SUCCESS') > 0 ? 'pass' : 'vacuous',
    success: count('SUCCESS'),
    failure: count('FAILURE'),
    warning: count('WARNING'),
    skipped: count('SKIPPED'),
    timedOut: run.err.includes('CLIENT TIMED OUT'),
    clientFailed: run.err.includes('CLIENT EXITED WITH ERROR'),
    problems: checks
      .filter((check) => check.status === 'FAILURE' || check.status === 'WARNING')
      .map((check) => `${check.status} ${check.id}: ${String(check.errorMessage ?? check.name).slice(0, 240)}`),
  }
}
