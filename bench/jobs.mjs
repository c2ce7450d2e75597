/**
 * What is measured: a scenario, against a server, for some clients. Rows (rows.mjs) read the numbers of a job.
 *
 * - `rivals` take part in a full run; in a check only v1 does, where a target names it
 * - `generations`: how often fresh processes start · `slices`: how many each of them measures
 */
import { LEGACY, MODERN } from './clients/wire.mjs'

const LEVELS = [1, 16, 256]
const levels = (calls) => LEVELS.map((inFlight, i) => ({ inFlight, calls: calls[i] }))
const levelKeys = LEVELS.map((inFlight) => `@${inFlight}`)
const STDIO_DEPTH = { generations: 5, slices: 24 }
const HTTP_DEPTH = { generations: 3, slices: 16 }
const ONE_SLICE = { generations: 5, slices: 1 }
const FEW_SLICES = { generations: 3, slices: 5 }

function calls(id, { server, era = LEGACY, clients, rivals, perSlice }) {
  return {
    id,
    scenario: 'calls',
    server,
    era,
    clients,
    rivals,
    params: { levels: levels(perSlice) },
    keys: levelKeys,
    ...(server === 'stdio' ? STDIO_DEPTH : HTTP_DEPTH),
  }
}

const STDIO_SLICE = [300, 1000, 1000]
const HTTP_SLICE = [100, 150, 256]

export const jobs = [
  calls('calls-stdio', { server: 'stdio', clients: ['raw-stdio', 'ours'], rivals: ['v1', 'v2', 'aisdk'], perSlice: STDIO_SLICE }),
  calls('calls-stdio-modern', {
    server: 'stdio',
    era: MODERN,
    clients: ['raw-stdio', 'ours'],
    rivals: ['v2', 'aisdk'],
    perSlice: STDIO_SLICE,
  }),
  calls('calls-json', { server: 'json', clients: ['raw-http', 'ours'], rivals: ['v1', 'v2', 'aisdk'], perSlice: HTTP_SLICE }),
  calls('calls-json-modern', { server: 'json', era: MODERN, clients: ['raw-http', 'ours'], rivals: ['v2', 'aisdk'], perSlice: HTTP_SLICE }),
  calls('calls-sse', { server: 'sse', clients: ['raw-http', 'ours'], rivals: ['v1', 'v2', 'aisdk'], perSlice: HTTP_SLICE }),
  calls('calls-fetch-json', { server: 'json', clients: ['raw-fetch', 'ours-fetch'], rivals: [], perSlice: HTTP_SLICE }),
  calls('calls-fetch-sse', { server: 'sse', clients: ['raw-fetch', 'ours-fetch'], rivals: [], perSlice: HTTP_SLICE }),
  ...[10, 50].map((megabytes) => ({
    id: `big-${megabytes}`,
    scenario: 'big',
    server: 'stdio',
    clients: ['raw-stdio', 'ours'],
    rivals: ['v1', 'v2', 'aisdk'],
    params: { bytes: megabytes * 1_000_000 },
    keys: ['one'],
    ...ONE_SLICE,
  })),
  ...[
    ['list-1000-stdio', 'stdio', 'raw-stdio', 1_000],
    ['list-1000-http', 'json', 'raw-http', 1_000],
    ['list-10000-stdio', 'stdio', 'raw-stdio', 10_000],
    ['list-10000-http', 'json', 'raw-http', 10_000],
  ].map(([id, server, raw, tools]) => ({
    id,
    scenario: 'list',
    server,
    clients: [raw, 'ours'],
    rivals: ['v1', 'v2', 'aisdk'],
    params: { tools },
    keys: ['list'],
    ...(tools > 1_000 ? { generations: 3, slices: 1 } : FEW_SLICES),
  })),
  ...[
    ['progress-stdio', 'stdio', 'raw-stdio'],
    ['progress-sse', 'sse', 'raw-http'],
  ].map(([id, server, raw]) => ({
    id,
    scenario: 'progress',
    server,
    clients: [raw, 'ours'],
    rivals: ['v1', 'v2'],
    params: { count: 10_000 },
    keys: ['progress'],
    ...FEW_SLICES,
  })),
  {
    id: 'connect-http',
    scenario: 'connect',
    server: 'json',
    clients: ['raw-http', 'ours'],
    rivals: ['v1', 'v2', 'aisdk'],
    params: { times: 20 },
    keys: ['first', 'next'],
    ...ONE_SLICE,
  },
  {
    id: 'many-servers',
    scenario: 'many-servers',
    server: 'many',
    clients: ['raw-http', 'ours'],
    rivals: ['v1', 'v2', 'aisdk'],
    params: {},
    keys: ['all'],
    ...FEW_SLICES,
  },
  {
    id: 'recovery',
    scenario: 'recovery',
    server: 'json',
    clients: ['ours'],
    rivals: [],
    params: { pairs: 200 },
    keys: ['recovery'],
    generations: 3,
    slices: 1,
  },
  {
    id: 'closing',
    scenario: 'closing',
    server: 'json',
    clients: ['ours'],
    rivals: [],
    params: { clients: 100 },
    keys: ['all'],
    generations: 1,
    slices: 5,
  },
  {
    id: 'heap',
    scenario: 'heap',
    server: 'json-short',
    clients: ['raw-http', 'ours'],
    rivals: ['v1', 'v2', 'aisdk'],
    params: { connections: 1_000, idleMs: 500 },
    keys: ['heap'],
    generations: 1,
    slices: 1,
  },
  {
    id: 'processes',
    scenario: 'processes',
    server: 'stdio',
    clients: ['ours'],
    rivals: [],
    params: { eras: ['legacy', 'modern'] },
    keys: ['legacy', 'modern'],
    generations: 1,
    slices: 1,
  },
  {
    id: 'import',
    scenario: 'import',
    clients: ['ours'],
    rivals: ['v1', 'v2', 'aisdk'],
    keys: ['import'],
    generations: 11,
    slices: 1,
  },
  { id: 'install', scenario: 'install', clients: ['ours'], rivals: ['v1', 'v2', 'aisdk'], keys: ['install'], ...ONE_SLICE },
]
