import { endOutcomes } from '#shared/contract/sessions/session-ending.ts'
import { type UsageGroup, type UsageSplit, usageSplits } from '#shared/contract/sessions/session-usage.ts'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { useAccountData } from '#web/console/core/use-account-data.ts'
import type { LoadState } from '#web/console/core/use-loaded.ts'
import { Link } from '#web/console/ui/link.tsx'
import { Section } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { type Column, Table } from '#web/console/ui/table.tsx'
import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { numberFormat } from '#web/wording/formatters.ts'
import { type Range, usageQuery } from './figures.ts'
import { IntervalText, percentOf, Seconds } from './headline.tsx'
import { sessionsSince } from './sessions-since.ts'
import { rateOf } from './wilson.ts'

/** Counts for a range, grouped by a property. */
export interface SplitCounts {
  readonly by: UsageSplit
  readonly since: string | undefined
  readonly groups: readonly UsageGroup[]
  /** The names of verifications. Groups by any other property have fixed names. */
  readonly names: ReadonlyMap<string, string>
}

/** [Note: Loaded separately] Counts by device and browser cover less time than the others, so they must not change the figures above. */
export function useSplit(range: Range): LoadState<SplitCounts> {
  const { calls, navigation } = useConsole()
  const by = usageSplits.find((one) => one === navigation.address.value.query.by) ?? 'verification'
  return useAccountData(async () => {
    const [usage, known] = await Promise.all([
      calls.configuration.getUsage({ ...usageQuery(range, new Date()), splitBy: by }),
      calls.configuration.getAllVerifications(),
    ])
    const names = new Map(known.verifications.map(({ verificationId, name }) => [verificationId, name]))
    return { by, names, since: usage.intervals[0]?.from, groups: usage.groups ?? [] }
  }, [range, by])
}

export function SplitSection({ split }: { split: LoadState<SplitCounts> }) {
  const { words, navigation } = useConsole()
  const { overview } = words.value
  const address = navigation.address.value
  const { last: value } = split
  const chosen = (
    <nav class="segments" aria-label={overview.splitBy}>
      {usageSplits.map((one) => (
        <Link
          key={one}
          to={withQuery(address, { by: one === 'verification' ? null : one })}
          current={one === (address.query.by ?? 'verification')}
        >
          {overview.split[one]}
        </Link>
      ))}
    </nav>
  )
  return (
    <Section title={overview.splitBy} aside={chosen}>
      <ProblemNote problem={split.problem} onRetry={split.reload} />
      {value !== undefined && value.groups.length > 0 && <SplitTable split={value} />}
      {value !== undefined && value.groups.length === 0 && <p class="small">{overview.noSplit}</p>}
    </Section>
  )
}

function SplitTable({ split }: { split: SplitCounts }) {
  const { words } = useConsole()
  const { overview, locale, none } = words.value
  const { by, groups, since } = split
  const to = sessionsSince(since)
  const number = numberFormat(locale)
  const filter = by === 'verification' ? 'verificationId' : by
  const count = (name: string, head: string, read: (group: UsageGroup) => number): Column<UsageGroup> => ({
    name,
    head,
    isNumber: true,
    cell: (group) => number.format(read(group)),
  })
  const columns: Column<UsageGroup>[] = [
    {
      name: 'value',
      head: overview.split[by],
      cell: ({ value }) => {
        const name = nameOf(words.value, split, value)
        return value === null ? name : <Link to={to({ [filter]: value })}>{name}</Link>
      },
    },
    count('opened', overview.opened, ({ states }) => states.opened),
    ...endOutcomes.map((name) => count(name, overview[name], ({ outcomes }) => outcomes[name])),
    {
      name: 'rate',
      head: overview.rateAndInterval,
      isNumber: true,
      cell: ({ outcomes: { passed, failed } }) => {
        const rate = rateOf(passed, passed + failed)
        if (rate === null) return <span class="none">{none}</span>
        return (
          <span>
            {percentOf(rate.share, locale)}
            <span class="small">
              <IntervalText rate={rate} isShort />
            </span>
          </span>
        )
      },
    },
    {
      name: 'median',
      head: overview.within.p50,
      isNumber: true,
      cell: ({ durations }) => <Seconds value={durations.p50} />,
    },
    {
      name: 'p90',
      head: overview.within.p90,
      isNumber: true,
      cell: ({ durations }) => <Seconds value={durations.p90} />,
    },
  ]
  return (
    <div class="scrolled">
      <Table caption={overview.splitBy} rows={groups} rowKey={({ value }) => value ?? ''} columns={columns} />
    </div>
  )
}

function nameOf(words: ConsoleWording, { by, names }: SplitCounts, value: string | null): string {
  const { overview, source, sessions, device, browser } = words
  if (value === null) return by === 'verification' ? sessions.noVerification : overview.unknown
  if (by === 'verification') return names.get(value) ?? value.slice(0, 8)
  const named: Readonly<Record<string, string>> = { source, device, browser }[by]
  return named[value] ?? value
}
