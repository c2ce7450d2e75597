/** The pictures of the report, for the newest Node that was measured. */
import { rows } from '../rows.mjs'
import { COLUMNS, clientOf, shortNumber } from './cells.mjs'
import { barChart } from './svg-bars.mjs'

/** What the groups of the third chart are called: there, a row stands without the heading of its table. */
const SUBJECTS = {
  'big-10': 'one result of 10 MB, stdio',
  'big-50': 'one result of 50 MB, stdio',
  'list-1000-stdio': 'connect and list 1,000 tools, stdio',
  'list-1000-http': 'connect and list 1,000 tools, HTTP',
  'list-10000-http': 'connect and list 10,000 tools, HTTP',
  'progress-stdio': '10,000 progress notifications, stdio',
  'progress-sse': '10,000 progress notifications, SSE',
  'many-servers': 'connect to 50 HTTP servers and list their tools',
}
const COLORS = { raw: '#8c959f', ours: '#1f6feb', v1: '#f0b37e', v2: '#e58b88', aisdk: '#b9a3e3' }

export function plots(runs) {
  const { nodeVersion, samples } = runs.at(-1)
  const value = (row, column) => {
    const client = clientOf(row, column)
    return client && samples.median(row.job, client, row.key, row.metric)
  }
  const failed = (row, column) => samples.failure(row.job, clientOf(row, column) ?? '')

  function absolute(row) {
    const bars = COLUMNS.flatMap((column) => bar(column, value(row, column), shortNumber(value(row, column)), failed(row, column)))
    return { label: row.title, bars }
  }

  /** The ratios of the tables, of processes that ran side by side. */
  function multiple(row) {
    const bars = COLUMNS.slice(1).flatMap((column) => {
      const client = clientOf(row, column)
      const ratio = client && samples.ratio(row.job, client, row.raw, row.key, row.metric)
      return bar(column, ratio, ratio === undefined ? '' : `${shortNumber(ratio)}×`, failed(row, column))
    })
    return { label: SUBJECTS[row.job], bars }
  }

  function bar(column, length, text, failure) {
    if (length === undefined && !failure) return []
    return [{ label: column, value: failure ? undefined : length, text: failure ? 'fails' : text, color: COLORS[column] }]
  }

  const of = (...jobs) => rows.filter((row) => jobs.includes(row.job) && row.metric === 'cpu')
  const charts = [
    {
      file: 'small-calls-stdio.svg',
      title: 'Small tool calls on stdio',
      subtitle: `CPU of the client process, µs per call, less is better · Node ${nodeVersion}`,
      groups: of('calls-stdio', 'calls-stdio-modern').map(absolute),
    },
    {
      file: 'small-calls-http.svg',
      title: 'Small tool calls over HTTP',
      subtitle: `CPU of the client process, µs per call, less is better · Node ${nodeVersion}`,
      groups: of('calls-json', 'calls-sse', 'calls-fetch-json', 'calls-fetch-sse').map(absolute),
    },
    {
      file: 'large-answers.svg',
      title: 'Large results, long lists, many notifications, many servers',
      subtitle: `CPU of the client process as a multiple of a bare client, logarithmic, less is better · Node ${nodeVersion}`,
      groups: of(...Object.keys(SUBJECTS)).map(multiple),
      log: true,
      mark: { value: 1, label: 'bare client' },
    },
  ]
  return charts
    .map((chart) => ({ ...chart, groups: chart.groups.filter(({ bars }) => bars.some((one) => one.value !== undefined)) }))
    .filter(({ groups }) => groups.length > 0)
    .map((chart) => ({ file: chart.file, title: chart.title, svg: barChart(chart) }))
}
