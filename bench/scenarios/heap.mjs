/**
 * The JavaScript heap that one idle HTTP connection holds, in KB. Idle is: connected, one call made, and its socket closed
 * by the server after `idleMs`, as servers do.
 */
export async function prepare(open, target, { connections, idleMs }) {
  const turn = (i) => ({ ...target, url: `${target.url}?turn=${i}` })
  const warm = await openMany(open, 50, (i) => turn(`warm${i}`))
  await Promise.all(warm.map((client) => client.close()))
  const clients = []

  async function heap() {
    const before = await quietHeap(idleMs)
    clients.push(...(await openMany(open, connections, turn)))
    const after = await quietHeap(idleMs)
    return { kb: (after - before) / connections / 1e3 }
  }
  return { slices: { heap }, close: () => Promise.all(clients.map((client) => client.close())) }
}

async function openMany(open, count, target) {
  const clients = []
  // One after another: a crowd of handshakes would leave its own peaks in the numbers.
  for (let i = 0; i < count; i++) {
    const client = await open(target(i))
    await client.call('echo', { message: 'idle' })
    clients.push(client)
  }
  return clients
}

async function quietHeap(idleMs) {
  await new Promise((resolve) => setTimeout(resolve, idleMs * 2 + 500))
  for (let i = 0; i < 3; i++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return process.memoryUsage().heapUsed
}
