import type { Curve, Plot } from '#lab/evaluate/figures.ts'
import { type Scale, scaleOf } from './scale.ts'

const size = { width: 640, height: 400 } as const
const paper = { left: 76, right: 620, top: 44, bottom: 300 } as const
const mostPoints = 240
const legendColumns = 2
const legendLine = 19

/** Lines differ in their dashes and markers as well as in their colours. */
const looks = [
  { dash: '', mark: 'circle' },
  { dash: '7 4', mark: 'square' },
  { dash: '2 3', mark: 'diamond' },
  { dash: '9 3 2 3', mark: 'circle' },
  { dash: '4 2', mark: 'square' },
  { dash: '1 4', mark: 'diamond' },
] as const

/** Colours with a contrast of at least 4.5 : 1 on both light and dark pages. */
const style = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 14px }
  .ground { fill: #ffffff } .grid { stroke: #d0d7de } .axis { stroke: #57606a }
  .c0 { --c: #0b5cad } .c1 { --c: #a33d00 } .c2 { --c: #116329 }
  .c3 { --c: #8a2a8a } .c4 { --c: #57606a } .c5 { --c: #8a5a00 }
  .line { fill: none; stroke: var(--c); stroke-width: 2 } .mark { fill: var(--c) }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .ground { fill: #0d1117 } .grid { stroke: #30363d } .axis { stroke: #8b949e }
    .c0 { --c: #6cb6ff } .c1 { --c: #ffa657 } .c2 { --c: #7ee787 }
    .c3 { --c: #e2a8ff } .c4 { --c: #b1bac4 } .c5 { --c: #f2cc60 }
  }`

/** Draws a plot as an SVG that works on light and dark pages. Its title and axes are announced to screen readers. */
export function drawPlot(plot: Plot): string {
  const points = plot.curves.flatMap((curve) => curve.points)
  const x = scaleOf(
    points.map(([value]) => value),
    plot.x.logarithmic === true,
    { from: paper.left, to: paper.right },
  )
  const y = scaleOf(
    points.map(([, value]) => value),
    plot.y.logarithmic === true,
    { from: paper.bottom, to: paper.top },
  )
  const height = size.height - 40 + Math.ceil(plot.curves.length / legendColumns) * legendLine
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${escaped(plot.title)}">
<title>${escaped(plot.title)}</title>
<desc>${escaped(`${plot.y.label} against ${plot.x.label}: ${plot.curves.map(({ label }) => label).join(', ')}`)}</desc>
<style>${style}
</style>
<rect class="ground" width="${size.width}" height="${height}"/>
<text class="title" x="${paper.left}" y="24">${escaped(plot.title)}</text>
${verticals(x)}
${horizontals(y)}
<text x="${(paper.left + paper.right) / 2}" y="${paper.bottom + 42}" text-anchor="middle">${escaped(plot.x.label)}</text>
<text transform="translate(18 ${(paper.top + paper.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(plot.y.label)}</text>
${plot.curves.map((curve, i) => drawCurve(curve, i, x, y)).join('\n')}
${plot.curves.map(legend).join('\n')}
</svg>
`
}

function verticals({ ticks, at }: Scale): string {
  const lines = ticks.map((tick) => {
    const left = at(tick)!.toFixed(1)
    return `<line class="grid" x1="${left}" x2="${left}" y1="${paper.top}" y2="${paper.bottom}"/><text x="${left}" y="${paper.bottom + 20}" text-anchor="middle">${label(tick)}</text>`
  })
  return `${lines.join('\n')}\n<line class="axis" x1="${paper.left}" x2="${paper.right}" y1="${paper.bottom}" y2="${paper.bottom}"/>`
}

function horizontals({ ticks, at }: Scale): string {
  const lines = ticks.map((tick) => {
    const top = at(tick)!
    return `<line class="grid" x1="${paper.left}" x2="${paper.right}" y1="${top.toFixed(1)}" y2="${top.toFixed(1)}"/><text x="${paper.left - 8}" y="${(top + 4).toFixed(1)}" text-anchor="end">${label(tick)}</text>`
  })
  return `${lines.join('\n')}\n<line class="axis" x1="${paper.left}" x2="${paper.left}" y1="${paper.top}" y2="${paper.bottom}"/>`
}

function drawCurve(curve: Curve, index: number, x: Scale, y: Scale): string {
  const places = thinned(curve.points).flatMap(([valueX, valueY]) => {
    const [left, top] = [x.at(valueX), y.at(valueY)]
    return left === undefined || top === undefined ? [] : [[left, top] as const]
  })
  const path = places.map(([left, top], i) => `${i === 0 ? 'M' : 'L'}${left.toFixed(1)} ${top.toFixed(1)}`)
  const dots = places.length > 30 ? [] : places.map(([left, top]) => drawMark(index, left, top))
  return `<g class="c${index % looks.length}"><path class="line"${dashOf(index)} d="${path.join('')}"/>${dots.join('')}</g>`
}

function thinned<T>(points: readonly T[]): readonly T[] {
  if (points.length <= mostPoints) return points
  return Array.from(
    { length: mostPoints },
    (_, i) => points[Math.round((i * (points.length - 1)) / (mostPoints - 1))]!,
  )
}

function legend({ label: words }: Curve, index: number): string {
  const left = paper.left + (index % legendColumns) * ((paper.right - paper.left) / legendColumns)
  const top = paper.bottom + 64 + Math.floor(index / legendColumns) * legendLine
  return `<g class="c${index % looks.length}"><path class="line"${dashOf(index)} d="M${left} ${top}h28"/>${drawMark(index, left + 14, top)}<text x="${left + 36}" y="${top + 4}">${escaped(words)}</text></g>`
}

function dashOf(index: number): string {
  const { dash } = looks[index % looks.length]!
  return dash === '' ? '' : ` stroke-dasharray="${dash}"`
}

function drawMark(index: number, left: number, top: number): string {
  const [x, y] = [left.toFixed(1), top.toFixed(1)]
  switch (looks[index % looks.length]!.mark) {
    case 'circle':
      return `<circle class="mark" cx="${x}" cy="${y}" r="3.2"/>`
    case 'square':
      return `<path class="mark" d="M${x} ${y}m-3 -3h6v6h-6z"/>`
    case 'diamond':
      return `<path class="mark" d="M${x} ${y}m0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z"/>`
  }
}

function label(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 10_000 || size < 0.001) return value.toExponential(0).replace('e+', 'e')
  return String(Number(value.toPrecision(4)))
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
