// The servers, and how each is reached: over stdio the client starts it, over HTTP we do.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const installed = (path) => join(here, 'node_modules/@modelcontextprotocol', path)
const preload = pathToFileURL(join(here, 'preload.mjs')).href

const everything = installed('server-everything/dist/index.js')
const official = join(here, 'official-server.mjs')

/** What starts each server over stdio. */
export const commands = {
  'server-everything': () => [process.execPath, everything, 'stdio'],
  'server-filesystem': (folder) => [process.execPath, installed('server-filesystem/dist/index.js'), folder],
  'official v2': () => [process.execPath, official, 'stdio'],
}

const overHttp = {
  'server-everything': { args: ['--import', preload, everything, 'streamableHttp'], env: { PORT: '0' } },
  'official v2': { args: [official, 'http'], env: {} },
}

/** Starts a server over HTTP on a free port of this machine. */
export async function startHttp(name) {
  const { args, env } = overHttp[name]
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  const port = await new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      log += data
      const [, found] = /listening on 127\.0\.0\.1:(\d+)/.exec(log) ?? []
      if (found !== undefined) resolve(Number(found))
    })
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it listened: ${log.slice(-500)}`)))
  })
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve)
      child.kill('SIGKILL')
    })
  return { origin: `http://127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/mcp`, stop }
}
