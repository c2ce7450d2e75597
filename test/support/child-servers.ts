import { readFileSync } from 'node:fs'

/**
 * Programs for `node -e`. A script sees `on(method, answer)`, `send(message)`, `raw(text)`, `legacy(version)` and `modern()`, and every
 * message in `onMessage`. With `silent = true` an unknown method is not refused. `answer` gets the message and returns the result; `undefined` is no answer.
 */
const PRELUDE = `
const methods = {};
let onMessage = () => {};
let silent = false;
const raw = (text) => process.stdout.write(text);
const send = (message) => raw(JSON.stringify(message) + '\\n');
const on = (method, answer) => { methods[method] = answer };
const tools = (result) => on('tools/call', (message) => typeof result === 'function' ? result(message) : result);
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const legacy = (version = '2025-11-25', capabilities = { tools: {} }) =>
  on('initialize', () => ({ protocolVersion: version, capabilities, serverInfo: { name: 'child', version: '1' } }));
const modern = (supportedVersions = ['2026-07-28']) =>
  on('server/discover', () => ({ resultType: 'complete', supportedVersions, capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' }));
let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  rest += chunk;
  const lines = rest.split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    onMessage(message);
    if (message.id === undefined || message.method === undefined) continue;
    const answer = methods[message.method];
    if (answer === undefined && silent) continue;
    if (answer === undefined) { send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'unknown method' } }); continue }
    const result = answer(message);
    if (result !== undefined) send({ jsonrpc: '2.0', id: message.id, result });
  }
});
`

/** The argument vector of a server process that runs this script. */
export function child(script: string): string[] {
  return [process.execPath, '-e', `${PRELUDE}\n${script}`]
}

/** A process that cannot run is gone. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
