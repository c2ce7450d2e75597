/**
 * A chart of horizontal bars in groups, as SVG text. Nothing is measured in a browser: widths of words are estimated from the number
 * of their characters, generously, so that labels keep apart in every font.
 */

const CHAR = 7
const BAR = 16
const GAP = 4
const GROUP_GAP = 18
const MARGIN = 24
const PLOT = 520
const INK = '#1f2328'
const FAINT = '#656d76'
const LINE = '#d8dee4'

const escaped = (text) => text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char])
const width = (text) => text.length * CHAR

/**
 * @param chart.title, chart.subtitle
 * @param chart.groups `[{ label, bars: [{ label, value, text, color }] }]`; a bar without a value shows its text only
 * @param chart.log a logarithmic scale, for values that differ by orders of magnitude
 * @param chart.mark `{ value, label }`, a line across all groups
 */
export function barChart({ title, subtitle, groups, log = false, mark }) {
  const bars = groups.flatMap((group) => group.bars)
  const values = bars.flatMap(({ value }) => (value === undefined ? [] : [value]))
  const scale = log ? logScale(values) : linearScale(values)
  const labelWidth = Math.max(...bars.map(({ label }) => width(label)), 40)
  const textWidth = Math.max(...bars.map(({ text }) => width(text)))
  const left = MARGIN + labelWidth + 10
  const total = Math.max(left + PLOT + textWidth + 12 + MARGIN, MARGIN * 2 + width(subtitle))
  const out = []
  let y = MARGIN + 14
  out.push(text(MARGIN, y, title, { size: 17, weight: 600 }))
  y += 20
  out.push(text(MARGIN, y, subtitle, { fill: FAINT }))
  y += 26
  const top = y

  for (const group of groups) {
    out.push(text(MARGIN, y + 10, group.label, { weight: 600, halo: true }))
    y += 20
    for (const bar of group.bars) {
      const middle = y + BAR / 2 + 4
      out.push(text(left - 8, middle, bar.label, { anchor: 'end', fill: FAINT }))
      const length = bar.value === undefined ? 0 : Math.max(1, scale.at(bar.value) * PLOT)
      if (length > 0) out.push(`<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2" fill="${bar.color}"/>`)
      out.push(text(left + length + 6, middle, bar.text, { halo: true }))
      y += BAR + GAP
    }
    y += GROUP_GAP - GAP
  }
  const bottom = y - GROUP_GAP + 8

  const grid = scale.ticks.map((tick) => {
    const x = left + scale.at(tick) * PLOT
    return `<line x1="${x.toFixed(1)}" y1="${top}" x2="${x.toFixed(1)}" y2="${bottom}" stroke="${LINE}"/>${text(x, bottom + 16, String(tick), { anchor: 'middle', fill: FAINT })}`
  })
  if (mark) {
    const x = left + scale.at(mark.value) * PLOT
    grid.push(`<line x1="${x.toFixed(1)}" y1="${top}" x2="${x.toFixed(1)}" y2="${bottom + 22}" stroke="${FAINT}" stroke-dasharray="4 3"/>`)
    grid.push(text(x, bottom + 34, mark.label, { anchor: 'middle', fill: FAINT }))
  }
  const height = bottom + (mark ? 34 : 16) + MARGIN
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="${height}" viewBox="0 0 ${total} ${height}" font-family="system-ui, 'DejaVu Sans', Helvetica, Arial, sans-serif" font-size="12" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" fill="#ffffff"/>
${grid.join('\n')}
${out.join('\n')}
</svg>
`
}

/** @param look.halo a white rim, where a line of the grid may pass behind the letters */
function text(x, y, content, { size, weight, anchor, halo, fill = INK } = {}) {
  const attributes = [
    size && `font-size="${size}"`,
    weight && `font-weight="${weight}"`,
    anchor && `text-anchor="${anchor}"`,
    halo && 'paint-order="stroke" stroke="#ffffff" stroke-width="4"',
    `fill="${fill}"`,
  ].filter(Boolean)
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes.join(' ')}>${escaped(content)}</text>`
}

function linearScale(values) {
  const most = Math.max(...values)
  const step = niceStep(most / 5)
  const end = Math.ceil(most / step) * step
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)))
  return { at: (value) => value / end, ticks }
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power
}

/** Whole powers of ten above one; below one it begins at a step of 1, 2 or 5, lest a value near one fill a decade of its own. */
function logScale(values) {
  const floor = Math.min(1, Math.min(...values) * 0.95)
  const decade = 10 ** Math.floor(Math.log10(floor))
  const least = [5, 2, 1].map((factor) => factor * decade).find((step) => step <= floor)
  const most = Math.ceil(Math.log10(Math.max(...values)) * 2) / 2
  const ticks = [Number(least.toPrecision(1))]
  for (let power = Math.floor(Math.log10(least)) + 1; power <= most; power++) ticks.push(Number((10 ** power).toPrecision(1)))
  const from = Math.log10(least)
  return { at: (value) => (Math.log10(value) - from) / (most - from), ticks }
}
