import { useMemo } from 'preact/hooks'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, PageHead } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { figuresOf, queryBefore, type Range, ranges, readRange, type Usage, usageQuery } from './figures.ts'
import { Headline } from './headline.tsx'
import { Needs } from './needs.tsx'
import { OwnDaysField } from './own-days-field.tsx'
import { Funnel, Reasons } from './shares.tsx'
import { SplitSection, useSplit } from './split.tsx'
import { useNeeds } from './use-needs.ts'
import { VerdictChart } from './verdict-chart.tsx'

const lookMilliseconds = 30_000

/**
 * Figures for today and the last few days, and items that need attention.
 * [Note: Nothing jumps] The page appears once all its parts have loaded, so that none of them moves another. Refreshes happen in place.
 */
export function OverviewPage() {
  const { words, calls, navigation } = useConsole()
  const address = navigation.address.value
  const range = readRange(address.query)
  const usage = useAccountData(async () => {
    const query = usageQuery(range, new Date())
    const [usage, before] = await Promise.all([
      calls.configuration.getUsage(query),
      calls.configuration.getUsage(queryBefore(query)),
    ])
    return { range, usage, before }
  }, [range])
  const split = useSplit(range)
  const needs = useNeeds()
  useRepeated(lookMilliseconds, () => {
    usage.reload()
    split.reload()
  })
  const isThere = [usage, split, needs].every(
    ({ last, problem }) => last !== undefined || problem !== undefined,
  )
  const { overview, page } = words.value
  return (
    <>
      <PageHead title={page.overview}>
        <nav class="segments" aria-label={overview.range}>
          {ranges.map((one) => (
            <Link
              key={one}
              to={withQuery(address, { range: one === 'days7' ? null : one, from: null, to: null })}
              current={one === range}
            >
              {overview[one]}
            </Link>
          ))}
        </nav>
        <OwnDaysField range={range} />
      </PageHead>
      <ProblemNote problem={usage.problem} onRetry={usage.reload} />
      {isThere ? (
        <>
          <Needs found={needs} />
          {usage.last !== undefined && <Counted {...usage.last} split={split} />}
        </>
      ) : (
        <div class="room" aria-busy="true" />
      )}
    </>
  )
}

interface CountedProps {
  readonly range: Range
  readonly usage: Usage
  readonly before: Usage
  readonly split: ReturnType<typeof useSplit>
}

function Counted({ range, usage, before, split }: CountedProps) {
  const { words } = useConsole()
  const { overview } = words.value
  const figures = useMemo(() => figuresOf(usage), [usage])
  const earlier = useMemo(() => figuresOf(before), [before])
  const { states, passed, failed, left, expired } = figures
  if (states.opened + passed + failed + left + expired === 0)
    return (
      <Empty title={overview.empty} advice={overview.emptyAdvice}>
        <Link to={{ page: 'verifications' }} class="press primary">
          {words.value.page.verifications}
        </Link>
      </Empty>
    )
  return (
    <>
      <Headline figures={figures} before={earlier} />
      <VerdictChart range={range} intervals={usage.intervals} />
      <div class="two-columns">
        <Funnel figures={figures} />
        <Reasons figures={figures} />
      </div>
      <SplitSection split={split} />
    </>
  )
}
