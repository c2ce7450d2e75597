/**
 * Runs one job: in each generation one fresh process per client, then slices in turn: A B C, C B A, B C A, A C B, … Many short
 * slices side by side see the same machine (tried: 36 slices of 10 ms give a spread of 3 % between equals where 4 of 75 ms
 * give 12 %); the order changes so that nobody always follows the same neighbour.
 */
import { startClient } from './client-process.mjs'

export async function runJob(job, { node, servers, samples, generations, slices, log }) {
  const server = await servers.target(job.server)
  const target = { ...server, era: job.era ?? '2025-11-25' }
  const params = { ...job.params, ...(server.ports && { ports: server.ports }) }

  for (let generation = samples.generation(job.id); generations > 0; generation++, generations--) {
    const processes = []
    try {
      for (const client of job.clients) {
        if (samples.failure(job.id, client)) continue
        try {
          processes.push({
            client,
            numbers: new Map(job.keys.map((key) => [key, []])),
            ...(await startClient({ node, client, scenario: job.scenario, target, params, deadlineMs: job.deadlineMs ?? 60_000 })),
          })
        } catch (error) {
          samples.fail(job.id, client, error.message)
        }
      }
      await takeSlices(job, processes, slices, samples)
    } finally {
      await Promise.all(processes.map((process) => process.end()))
    }
    for (const { client, numbers } of processes) {
      if (samples.failure(job.id, client)) continue
      for (const [key, taken] of numbers) samples.add(job.id, client, key, generation, taken)
    }
    log('.')
  }
}

async function takeSlices(job, processes, slices, samples) {
  // Keys outside: a level is measured to its end before the next begins, so that code stays warm for it.
  for (const key of job.keys) {
    for (let turn = 0; turn < slices; turn++) {
      for (const { client, slice, numbers } of inTurn(processes, turn)) {
        if (samples.failure(job.id, client)) continue
        try {
          numbers.get(key).push(await slice(key))
        } catch (error) {
          samples.fail(job.id, client, error.message)
        }
      }
    }
  }
}

function inTurn(processes, turn) {
  const start = (turn >> 1) % processes.length
  const turned = [...processes.slice(start), ...processes.slice(0, start)]
  return turn % 2 === 0 ? turned : turned.reverse()
}
