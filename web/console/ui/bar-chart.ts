import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** Stacked bars per interval, with the lower series first. Times are in seconds since 1970. */
export interface BarData {
  readonly times: readonly number[]
  readonly series: readonly {
    readonly label: string
    readonly values: readonly number[]
    readonly colour: string
  }[]
  readonly label: (time: number) => string
  /** True if time runs from right to left, as the page reads. */
  readonly isReversed: boolean
}

const height = 200

/** Draws stacked bars into an element, and returns a function that removes them again. */
export function drawBars(element: HTMLElement, { times, series, label, isReversed }: BarData): () => void {
  const ink = colourOf(element, '--muted')
  const rule = colourOf(element, '--hairline')
  const stacked = series.map((_, upTo) =>
    times.map((_, i) => series.slice(0, upTo + 1).reduce((sum, { values }) => sum + (values[i] ?? 0), 0)),
  )
  const paths = UPlot.paths.bars!({ size: [0.7, 40] })
  const axis = {
    stroke: ink,
    grid: { stroke: rule, width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
  }
  const plot = new UPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, dir: isReversed ? -1 : 1, range: () => [-0.6, times.length - 0.4] },
        y: { range: (_, __, most) => [0, Math.max(4, Math.ceil(most * 1.1))] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 70,
          values: (_, splits) =>
            splits.map((at) => (Number.isInteger(at) && times[at] !== undefined ? label(times[at]) : '')),
        },
        {
          ...axis,
          side: isReversed ? 1 : 3,
          size: 44,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000, 50_000, 100_000],
        },
      ],
      // The full stack is drawn first, and the lower series on top of it.
      series: [
        {},
        ...series
          .map(({ colour }) => ({ fill: colour, stroke: colour, width: 0, paths, points: { show: false } }))
          .reverse(),
      ],
    },
    [times.map((_, i) => i), ...[...stacked].reverse()],
    element,
  )
  // The observer also calls back at once, when the chart has just been drawn in this width.
  const resize = new ResizeObserver(() => {
    if (plot.width !== element.clientWidth) plot.setSize({ width: element.clientWidth, height })
  })
  resize.observe(element)
  return () => {
    resize.disconnect()
    plot.destroy()
  }
}

/** Resolves a style sheet colour for use on a canvas. Custom properties may depend on the theme. */
export function colourOf(element: HTMLElement, property: string): string {
  const before = element.style.color
  element.style.color = `var(${property})`
  const { color } = getComputedStyle(element)
  element.style.color = before
  return color
}
