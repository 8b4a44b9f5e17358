import { useMemo } from 'preact/hooks'
import type { UsageCounts } from '#shared/contract/sessions/session-usage.ts'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { duration } from '#web/console/core/times.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { Chart } from '#web/console/ui/chart.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, PageHead, Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'
import { type Figures, type Range, ranges, sumUp, usageQuery } from './figures.ts'
import { Needs } from './needs.tsx'
import { Notices } from './notices.tsx'

const lookMilliseconds = 30_000

/** How it goes today and of late, and what needs somebody. */
export function OverviewPage() {
  const { words, calls, navigation } = useConsole()
  const address = navigation.address.value
  const range = ranges.find((one) => one === address.query.range) ?? 'days7'
  const usage = useAccountData(
    async () => ({
      range,
      ...(await calls.configuration.getUsage(usageQuery(range, new Date()))),
    }),
    [range],
  )
  useRepeated(lookMilliseconds, usage.reload)
  const { overview, page } = words.value
  return (
    <>
      <PageHead title={page.overview}>
        <nav class="segments" aria-label={overview.range}>
          {ranges.map((one) => (
            <Link
              key={one}
              to={withQuery(address, { range: one === 'days7' ? null : one })}
              current={one === range}
            >
              {overview[one]}
            </Link>
          ))}
        </nav>
      </PageHead>
      <ProblemNote problem={usage.problem} onRetry={usage.reload} />
      <Notices />
      <Needs />
      {usage.value === undefined ? <div class="room" aria-busy="true" /> : <Usage {...usage.value} />}
    </>
  )
}

function Usage({ range, intervals }: { range: Range; intervals: readonly UsageCounts[] }) {
  const { words } = useConsole()
  const { overview, locale } = words.value
  const figures = useMemo(() => sumUp(intervals), [intervals])
  const times = useMemo(() => intervals.map(({ from }) => Date.parse(from)), [intervals])
  const series = useMemo(
    () => [
      { label: overview.passed, tone: 'good' as const, values: intervals.map(({ results }) => results.Pass) },
      { label: overview.failed, tone: 'bad' as const, values: intervals.map(({ results }) => results.Fail) },
    ],
    [intervals, overview],
  )
  const label = useMemo(() => labelOf(range, locale), [range, locale])
  if (figures.opened + figures.passed + figures.failed === 0)
    return (
      <Empty title={overview.empty} advice={overview.emptyAdvice}>
        <Link to={{ page: 'verifications' }} class="press primary">
          {words.value.page.verifications}
        </Link>
      </Empty>
    )
  return (
    <>
      <Tiles figures={figures} isOneInterval={intervals.length === 1} />
      <Chart
        title={range === 'today' ? overview.perHour : overview.perDay}
        times={times}
        label={label}
        series={series}
      />
      <div class="two-columns">
        <ReasonTable figures={figures} />
        <Funnel figures={figures} />
      </div>
    </>
  )
}

/** Hours are the viewer's; days are counted in UTC, and so they are named. */
function labelOf(range: Range, locale: string): (time: number) => string {
  const format =
    range === 'today'
      ? new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
      : new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  return (time) => format.format(time)
}

function Tiles({ figures, isOneInterval }: { figures: Figures; isOneInterval: boolean }) {
  const { words } = useConsole()
  const { overview, locale, none } = words.value
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const tile = (name: string, value: string, hint?: string) => (
    <div class="tile">
      <dt>{name}</dt>
      <dd>
        {value}
        {hint !== undefined && <span class="small">{hint}</span>}
      </dd>
    </div>
  )
  const { medianSeconds, passRate } = figures
  return (
    <dl class="tiles">
      {tile(overview.opened, number.format(figures.opened))}
      {tile(overview.completed, number.format(figures.passed + figures.failed))}
      {tile(overview.passed, number.format(figures.passed))}
      {tile(overview.failed, number.format(figures.failed))}
      {tile(overview.passRate, passRate === null ? none : percent.format(passRate))}
      {tile(
        overview.median,
        medianSeconds === null ? none : duration(medianSeconds, locale),
        isOneInterval ? undefined : overview.medianOfDays,
      )}
    </dl>
  )
}

function ReasonTable({ figures: { reasons, failed } }: { figures: Figures }) {
  const { words } = useConsole()
  const { overview, reason } = words.value
  return (
    <Section title={overview.reasons}>
      {reasons.length === 0 ? (
        <p class="small">{overview.noReasons}</p>
      ) : (
        <Table
          caption={overview.reasons}
          rows={reasons}
          rowKey={([name]) => name}
          columns={[
            {
              name: 'reason',
              head: words.value.sessions.reasons,
              cell: ([name]) => (
                <Link to={{ page: 'sessions', query: { failedReason: name } }}>{reason[name]}</Link>
              ),
            },
            {
              name: 'bar',
              head: overview.share,
              isQuiet: true,
              cell: ([, count]) => <Bar share={count / Math.max(failed, 1)} />,
            },
            { name: 'count', head: overview.count, isNumber: true, cell: ([, count]) => count },
          ]}
        />
      )}
    </Section>
  )
}

function Funnel({ figures }: { figures: Figures }) {
  const { words } = useConsole()
  const { overview } = words.value
  const steps = [
    [overview.opened, figures.opened],
    [overview.consented, figures.consented],
    [overview.firstPicture, figures.firstPicture],
    [overview.submitted, figures.submitted],
  ] as const
  return (
    <Section title={overview.left}>
      <Table
        caption={overview.left}
        rows={steps}
        rowKey={([name]) => name}
        columns={[
          { name: 'step', head: words.value.sessions.state, cell: ([name]) => name },
          {
            name: 'bar',
            head: overview.share,
            isQuiet: true,
            cell: ([, count]) => <Bar share={count / Math.max(figures.opened, 1)} />,
          },
          { name: 'count', head: overview.count, isNumber: true, cell: ([, count]) => count },
        ]}
      />
    </Section>
  )
}

function Bar({ share }: { share: number }) {
  return <progress class="share" value={Math.min(share, 1)} max={1} aria-hidden="true" />
}
