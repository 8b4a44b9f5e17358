import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { Table } from './table.tsx'

export interface ChartSeries {
  readonly label: string
  readonly tone: 'good' | 'bad' | 'plain' | 'warn'
  readonly values: readonly number[]
}

interface ChartProps {
  readonly title: string
  /** One per value, in milliseconds since 1970. */
  readonly times: readonly number[]
  readonly label: (time: number) => string
  readonly series: readonly ChartSeries[]
}

/** Stacked bars, plus the same data as a table. Reserves space while the chart loads. */
export function Chart({ title, times, label, series }: ChartProps) {
  const { words, preferences } = useConsole()
  const place = useRef<HTMLDivElement>(null)
  const { theme } = preferences.value
  useEffect(() => {
    let erase: (() => void) | undefined
    let isGone = false
    const system = matchMedia('(prefers-color-scheme: dark)')
    const draw = async () => {
      const { colourOf, drawBars } = await import('./bar-chart.ts')
      const element = place.current
      if (isGone || element === null) return
      erase?.()
      const isReversed = getComputedStyle(element.parentElement!).direction === 'rtl'
      const coloured = series.map((one) => ({ ...one, colour: colourOf(element, `--chart-${one.tone}`) }))
      erase = drawBars(element, { times, label, series: coloured, isReversed })
    }
    void draw()
    // Redraws when the device's theme changes, in case the page follows it.
    system.addEventListener('change', draw)
    return () => {
      isGone = true
      system.removeEventListener('change', draw)
      erase?.()
    }
  }, [times, series, label, theme])
  const { overview } = words.value
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
        {series.map(({ label: name, tone }) => (
          <span key={name} class={`legend ${tone}`}>
            {name}
          </span>
        ))}
      </figcaption>
      <div class="plot" ref={place} aria-hidden="true" dir="ltr" />
      <details>
        <summary>{overview.table}</summary>
        <Table
          caption={title}
          rowKey={(i) => String(i)}
          rows={times.map((_, i) => i)}
          columns={[
            { name: 'time', head: overview.time, cell: (i) => label(times[i]!) },
            ...series.map((one) => ({
              name: one.label,
              head: one.label,
              isNumber: true,
              cell: (i: number) => one.values[i] ?? 0,
            })),
          ]}
        />
      </details>
    </figure>
  )
}
