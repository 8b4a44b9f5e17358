import { useMemo } from 'preact/hooks'
import type { UsageCounts } from '#shared/contract/sessions/session-usage.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { Chart } from '#web/console/ui/chart.tsx'
import { timeFormat } from '#web/wording/formatters.ts'
import type { Range } from './figures.ts'

interface VerdictChartProps {
  readonly range: Range
  readonly intervals: readonly UsageCounts[]
}

/** Session verdicts per hour or day. */
export function VerdictChart({ range, intervals }: VerdictChartProps) {
  const { words } = useConsole()
  const { overview, locale } = words.value
  const times = useMemo(() => intervals.map(({ from }) => Date.parse(from)), [intervals])
  const series = useMemo(
    () =>
      (
        [
          ['good', 'passed'],
          ['bad', 'failed'],
          ['plain', 'left'],
          ['warn', 'expired'],
        ] as const
      ).map(([tone, name]) => ({
        tone,
        label: overview[name],
        values: intervals.map(({ outcomes }) => outcomes[name]),
      })),
    [intervals, overview],
  )
  const label = useMemo(() => labelOf(range, locale), [range, locale])
  const title = range === 'today' ? overview.perHour : overview.perDay
  return <Chart title={title} times={times} label={label} series={series} />
}

/** Hours are in the viewer's time zone. Days are UTC days and are labelled as such. */
function labelOf(range: Range, locale: string): (time: number) => string {
  const format =
    range === 'today'
      ? timeFormat(locale, { hour: '2-digit', minute: '2-digit' })
      : timeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return (time) => format.format(time)
}
