import { useConsole } from '#web/console/core/console-context.ts'
import { Link } from '#web/console/ui/link.tsx'
import { Section } from '#web/console/ui/pieces.tsx'
import { type Column, Table } from '#web/console/ui/table.tsx'
import { numberFormat } from '#web/wording/formatters.ts'
import type { Figures } from './figures.ts'
import { percentOf } from './headline.tsx'
import { sessionsSince } from './sessions-since.ts'

interface Share {
  readonly name: string
  readonly label: string
  readonly count: number
  /** A filter that selects the counted sessions; absent if there is none. */
  readonly query?: Record<string, string>
}

/** A funnel that shows how many people reached each step. */
export function Funnel({ figures }: { figures: Figures }) {
  const { words } = useConsole()
  const { overview } = words.value
  const { states, passed, failed } = figures
  const rows: Share[] = [
    { name: 'opened', label: overview.opened, count: states.opened, query: {} },
    {
      name: 'consented',
      label: overview.consented,
      count: states.consented,
      query: { reached: 'consented' },
    },
    {
      name: 'firstPicture',
      label: overview.firstPicture,
      count: states.firstPicture,
      query: { reached: 'firstPicture' },
    },
    {
      name: 'submitted',
      label: overview.submitted,
      count: states.submitted,
      query: { reached: 'submitted' },
    },
    {
      name: 'decided',
      label: overview.decided,
      count: passed + failed,
    },
  ]
  return (
    <Section title={overview.funnel}>
      <ShareTable
        caption={overview.funnel}
        head={overview.step}
        rows={rows}
        whole={states.opened}
        since={figures.since}
      />
    </Section>
  )
}

/** Why sessions failed or ended without a verdict. */
export function Reasons({ figures }: { figures: Figures }) {
  const { words } = useConsole()
  const { overview, reason, sessions } = words.value
  const { reasons, failed, left, expired, since } = figures
  const rows = reasons.map(([name, count]): Share => {
    return { name, label: reason[name], count, query: { failedReason: name } }
  })
  return (
    <Section title={overview.reasons}>
      {rows.length === 0 ? (
        <p class="small">{overview.noReasons}</p>
      ) : (
        <ShareTable
          caption={overview.reasons}
          head={sessions.reasons}
          rows={rows}
          whole={failed + left + expired}
          since={since}
        />
      )}
    </Section>
  )
}

interface ShareTableProps {
  readonly caption: string
  readonly head: string
  readonly rows: readonly Share[]
  /** The total that the shares refer to. */
  readonly whole: number
  readonly since: string | undefined
}

function ShareTable({ caption, head, rows, whole, since }: ShareTableProps) {
  const { words } = useConsole()
  const { overview, locale } = words.value
  const to = sessionsSince(since)
  const shareOf = (count: number) => (whole === 0 ? 0 : Math.min(1, count / whole))
  const columns: Column<Share>[] = [
    {
      name: 'label',
      head,
      cell: ({ label, query }) => (query === undefined ? label : <Link to={to(query)}>{label}</Link>),
    },
    {
      name: 'bar',
      head: overview.bar,
      isQuiet: true,
      cell: ({ count }) => <progress class="share" value={shareOf(count)} max={1} aria-hidden="true" />,
    },
    {
      name: 'count',
      head: overview.count,
      isNumber: true,
      cell: ({ count }) => numberFormat(locale).format(count),
    },
    {
      name: 'share',
      head: overview.share,
      isNumber: true,
      cell: ({ count }) => percentOf(shareOf(count), locale),
    },
  ]
  return <Table caption={caption} rows={rows} rowKey={({ name }) => name} columns={columns} isCompact />
}
