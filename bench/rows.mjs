/**
 * The rows of the report: which numbers of which job, and the targets that ours has to reach.
 *
 * A target is one of
 * - `ratio`: at most `max` times another client, side by side in the same run
 * - `most`: at most `max`; `scaled` when it is a time, which a slower machine stretches
 * - `growth`: at most `max` times ours in another job
 * - `exact`: this number and no other
 *
 * The gate gives `slack` on each of them unless a target says `firm`.
 */
const CALL_TITLES = { '@1': '1 in flight', '@16': '16 in flight', '@256': '256 in flight' }
const ratio = (over, max, firm = false) => ({ kind: 'ratio', over, max, firm })

function callRows(job, title, { raw, ours = 'ours', limits, v1 }) {
  return Object.keys(CALL_TITLES).map((key, i) => ({
    id: `${job}${key}`,
    group: 'Small calls, CPU µs per call',
    title: `${title}, ${CALL_TITLES[key]}`,
    job,
    key,
    metric: 'cpu',
    raw,
    ours,
    targets: [ratio(raw, limits[i]), ...(v1?.[i] ? [ratio('v1', v1[i], true)] : [])],
  }))
}

export const rows = [
  ...callRows('calls-stdio', 'stdio', { raw: 'raw-stdio', limits: [1.15, 1.3, 1.3], v1: [undefined, 0.5, 0.5] }),
  ...callRows('calls-stdio-modern', 'stdio, 2026-07-28', { raw: 'raw-stdio', limits: [1.15, 1.3, 1.3] }),
  ...callRows('calls-json', 'HTTP, JSON', { raw: 'raw-http', limits: [1.2, 1.2, 1.2], v1: [0.35, 0.35, 0.35] }),
  ...callRows('calls-json-modern', 'HTTP, JSON, 2026-07-28', { raw: 'raw-http', limits: [1.2, 1.2, 1.2] }),
  ...callRows('calls-sse', 'HTTP, SSE', { raw: 'raw-http', limits: [1.2, 1.2, 1.2], v1: [0.35, 0.35, 0.35] }),
  ...callRows('calls-fetch-json', 'fetch, JSON', { raw: 'raw-fetch', ours: 'ours-fetch', limits: [1.1, 1.1, 1.1] }),
  ...callRows('calls-fetch-sse', 'fetch, SSE', { raw: 'raw-fetch', ours: 'ours-fetch', limits: [1.1, 1.1, 1.1] }),
  ...[10, 50].flatMap((megabytes) => {
    const common = { group: 'One large result on stdio', job: `big-${megabytes}`, key: 'one', raw: 'raw-stdio', ours: 'ours' }
    return [
      {
        ...common,
        id: `big-${megabytes}`,
        title: `${megabytes} MB, CPU ms`,
        metric: 'cpu',
        targets: [ratio('raw-stdio', 1.2), ...(megabytes === 50 ? [{ kind: 'growth', from: 'big-10', max: 7.5, firm: true }] : [])],
      },
      {
        ...common,
        id: `big-${megabytes}-wall`,
        title: `${megabytes} MB, wall ms`,
        metric: 'wall',
        targets: megabytes === 50 ? [{ kind: 'most', max: 600, unit: 'ms', scaled: true }] : [],
      },
      {
        ...common,
        id: `big-${megabytes}-peak`,
        title: `${megabytes} MB, rise of peak memory as a multiple of the result`,
        metric: 'peak',
        targets: [{ kind: 'most', max: 4, unit: '×' }],
      },
    ]
  }),
  ...[
    ['list-1000-stdio', '1,000 tools, stdio', 'raw-stdio'],
    ['list-1000-http', '1,000 tools, HTTP', 'raw-http'],
    ['list-10000-stdio', '10,000 tools, stdio', 'raw-stdio'],
    ['list-10000-http', '10,000 tools, HTTP', 'raw-http'],
  ].map(([job, title, raw]) => ({
    id: job,
    group: 'Connect and list tools with output schemas, CPU ms',
    title,
    job,
    key: 'list',
    metric: 'cpu',
    raw,
    ours: 'ours',
    targets: [ratio(raw, 1.3)],
  })),
  ...[
    ['progress-stdio', 'stdio', 'raw-stdio'],
    ['progress-sse', 'SSE', 'raw-http'],
  ].flatMap(([job, title, raw]) => {
    const common = { group: '10,000 progress notifications in one call', job, key: 'progress', raw, ours: 'ours' }
    return [
      { ...common, id: job, title: `${title}, CPU ms`, metric: 'cpu', targets: [ratio(raw, 1.5)] },
      {
        ...common,
        id: `${job}-delivered`,
        title: `${title}, delivered before the result`,
        metric: 'delivered',
        targets: [{ kind: 'exact', value: 10_000 }],
      },
    ]
  }),
  {
    id: 'connect-http-first',
    group: 'Connecting',
    title: 'HTTP, first in the process, CPU ms',
    job: 'connect-http',
    key: 'first',
    metric: 'cpu',
    raw: 'raw-http',
    ours: 'ours',
    targets: [ratio('raw-http', 1.3)],
  },
  {
    id: 'connect-http-next',
    group: 'Connecting',
    title: 'HTTP, next, CPU ms',
    job: 'connect-http',
    key: 'next',
    metric: 'cpu',
    raw: 'raw-http',
    ours: 'ours',
    targets: [{ kind: 'most', max: 2, unit: 'ms', scaled: true }],
  },
  {
    id: 'many-servers',
    group: 'Connecting',
    title: '50 HTTP servers at once, tools of all, CPU ms',
    job: 'many-servers',
    key: 'all',
    metric: 'cpu',
    raw: 'raw-http',
    ours: 'ours',
    targets: [ratio('raw-http', 1.3)],
  },
  ...['legacy', 'modern'].map((era) => ({
    id: `processes-${era}`,
    group: 'Connecting',
    title: `stdio, processes started to find out a ${era} server`,
    job: 'processes',
    key: era,
    metric: 'processes',
    ours: 'ours',
    targets: [{ kind: 'exact', value: 1 }],
  })),
  {
    id: 'recovery',
    group: 'Connecting',
    title: 'HTTP, a call in a forgotten session, CPU as a multiple of a connect with a call',
    job: 'recovery',
    key: 'recovery',
    metric: 'ratio',
    ours: 'ours',
    targets: [{ kind: 'most', max: 1.2, unit: '×' }],
  },
  {
    id: 'closing',
    group: 'Connecting',
    title: '100 HTTP clients with a session closed at once, wall ms',
    job: 'closing',
    key: 'all',
    metric: 'wall',
    ours: 'ours',
    targets: [{ kind: 'most', max: 2_000, unit: 'ms', scaled: true }],
  },
  {
    id: 'heap',
    group: 'Size',
    title: 'heap of an idle HTTP connection, KB',
    job: 'heap',
    key: 'heap',
    metric: 'kb',
    raw: 'raw-http',
    ours: 'ours',
    targets: [{ kind: 'most', max: 6, unit: 'KB' }],
  },
  ...[
    ['import', 'import of the root over bare Node, CPU ms', 'cpu', { max: 25, unit: 'ms', scaled: true }],
    ['import-wall', 'import of the root over bare Node, wall ms', 'wall', undefined],
    ['import-heap', 'import of the root over bare Node, heap MB', 'heapMb', { max: 3, unit: 'MB' }],
  ].map(([id, title, metric, limit]) => ({
    id,
    group: 'Size',
    title,
    job: 'import',
    key: 'import',
    metric,
    ours: 'ours',
    targets: limit ? [{ kind: 'most', ...limit }] : [],
  })),
  ...[
    ['install-packages', 'packages installed', 'packages', { max: 34, unit: '', firm: true }],
    ['install-size', 'installed MB', 'mb', { max: 8, unit: 'MB', firm: true }],
  ].map(([id, title, metric, limit]) => ({
    id,
    group: 'Size',
    title,
    job: 'install',
    key: 'install',
    metric,
    ours: 'ours',
    targets: [{ kind: 'most', ...limit }],
  })),
]
