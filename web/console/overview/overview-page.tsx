import { useMemo } from 'preact/hooks'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, PageHead } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { figuresOf, type Range, ranges, type Usage, usageQuery } from './figures.ts'
import { Headline } from './headline.tsx'
import { Needs } from './needs.tsx'
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
  const range = ranges.find((one) => one === address.query.range) ?? 'days7'
  const usage = useAccountData(
    async () => ({
      range,
      usage: await calls.configuration.getUsage(usageQuery(range, new Date())),
    }),
    [range],
  )
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
              to={withQuery(address, { range: one === 'days7' ? null : one })}
              current={one === range}
            >
              {overview[one]}
            </Link>
          ))}
        </nav>
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
  readonly split: ReturnType<typeof useSplit>
}

function Counted({ range, usage, split }: CountedProps) {
  const { words } = useConsole()
  const { overview } = words.value
  const figures = useMemo(() => figuresOf(usage), [usage])
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
      <Headline figures={figures} />
      <VerdictChart range={range} intervals={usage.intervals} />
      <div class="two-columns">
        <Funnel figures={figures} />
        <Reasons figures={figures} />
      </div>
      <SplitSection split={split} />
    </>
  )
}
