// Preload for servers of others:  node --import ./preload.mjs <script>
//
// 1. The suite's command names `globSync` from 'fs', which Node 20 does not have, so there it dies when it is linked. Only its
//    `tier-check` calls it. It is handed a stand-in for 'fs' that has the name.
// 2. Its servers call listen(0) without a host, which is every interface. They are bound to 127.0.0.1 instead.

import fs from 'node:fs'
import { register } from 'node:module'
import net from 'node:net'

if (typeof fs.globSync !== 'function') {
  const shim =
    "export * from 'node:fs'; export { default } from 'node:fs';" +
    "export function globSync() { throw new Error('fs.globSync needs Node 22+'); }"
  const hooks =
    `const SHIM = 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(shim)});\n` +
    `export async function resolve(spec, ctx, next) {\n` +
    `  const fromCli = /conformance\\/(dist|src)\\//.test(ctx.parentURL ?? '');\n` +
    `  if (fromCli && (spec === 'fs' || spec === 'node:fs'))\n` +
    `    return { url: SHIM, format: 'module', shortCircuit: true };\n` +
    `  return next(spec, ctx);\n}`
  register(`data:text/javascript,${encodeURIComponent(hooks)}`)
}

// listen(port, host) is asynchronous (it resolves the host even when it is an IP),
// and the scenarios read server.address() right after listen(). So we bind through
// the same synchronous step that a host-less listen() uses, with an address.
const host = process.env.MCP_CONF_BIND ?? '127.0.0.1'
const listen = net.Server.prototype.listen
net.Server.prototype.listen = function (...args) {
  const [first, second] = args
  const isPort = typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first)) // PORT=3000
  const noHost = isPort && typeof second !== 'string'
  if (!noHost || typeof this._listen2 !== 'function') return listen.apply(this, args)
  const cb = args.find((a) => typeof a === 'function')
  if (cb) this.once('listening', cb)
  this._listen2(host, Number(first), 4, typeof second === 'number' ? second : 511, undefined, 0)
  return this
}
