import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { duration } from '#web/console/core/times.ts'
import { Link } from '#web/console/ui/link.tsx'
import { Id, Maybe, Time } from '#web/console/ui/pieces.tsx'
import { type Column, Table } from '#web/console/ui/table.tsx'
import { type ColumnName, chooseable } from './columns/chosen-columns.ts'
import { Reasons, StandingBadge } from './session-badges.tsx'
import { nextOrder, type Order, type Sorting, secondsOf, sortings } from './sorting.ts'

interface SessionTableProps {
  readonly sessions: readonly ListedSession[]
  readonly caption: string
  readonly isBusy?: boolean
  readonly order: Order | undefined
  readonly onOrder: (order: Order | undefined) => void
  readonly shown: readonly ColumnName[]
  /** The ids of the chosen sessions. */
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (ids: readonly string[], isOn: boolean) => void
}

/** A table of sessions that link to their pages. */
export function SessionTable(props: SessionTableProps) {
  const { sessions: rows, caption, isBusy = false, order, onOrder, shown } = props
  const all = [useChoice(props), ...useVisitColumns(), ...useJudgementColumns()]
  const isShown = ({ name }: Column<ListedSession>) =>
    !(chooseable as readonly string[]).includes(name) || (shown as readonly string[]).includes(name)
  const columns = all.filter(isShown).map((column) => {
    const by = sortings.find((one) => one === column.name)
    return by === undefined ? column : { ...column, sorting: sortingBy(by, order, onOrder) }
  })
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={rows}
      rowKey={({ verificationSessionId }) => verificationSessionId}
      isBusy={isBusy}
      isDense
    />
  )
}

/** The boxes by which sessions are chosen. The one in the head chooses all rows. */
function useChoice({ sessions: rows, chosen, onChoose }: SessionTableProps): Column<ListedSession> {
  const { words } = useConsole()
  const { bulk } = words.value
  return {
    name: 'choose',
    narrow: 'box',
    head: bulk.choose,
    isQuiet: true,
    headCell: (
      <input
        type="checkbox"
        aria-label={bulk.chooseAll}
        checked={rows.length > 0 && rows.every((row) => chosen.has(row.verificationSessionId))}
        onChange={({ currentTarget }) =>
          onChoose(
            rows.map((row) => row.verificationSessionId),
            currentTarget.checked,
          )
        }
      />
    ),
    cell: ({ verificationSessionId: id }) => (
      <input
        type="checkbox"
        aria-label={`${bulk.choose} ${id.slice(0, 8)}`}
        checked={chosen.has(id)}
        onChange={({ currentTarget }) => onChoose([id], currentTarget.checked)}
      />
    ),
  }
}

function sortingBy(
  by: Sorting,
  order: Order | undefined,
  onOrder: SessionTableProps['onOrder'],
): NonNullable<Column<ListedSession>['sorting']> {
  const isBy = order?.by === by
  return {
    direction: isBy ? (order.isDescending ? 'descending' : 'ascending') : 'none',
    onPress: () => onOrder(nextOrder(order, by)),
  }
}

/** Columns about the visit: verdict, time, person and reasons. */
function useVisitColumns(): Column<ListedSession>[] {
  const { words, navigation } = useConsole()
  const { sessions, overview } = words.value
  return [
    {
      name: 'result',
      narrow: 'mark',
      head: overview.outcome,
      cell: (session) => <StandingBadge session={session} />,
    },
    {
      name: 'time',
      narrow: 'end',
      head: sessions.time,
      cell: ({ verificationSessionId, createdAt }) => (
        <Link to={{ page: 'sessions', parts: [verificationSessionId] }} class="row-link">
          <Time at={createdAt} />
        </Link>
      ),
    },
    {
      name: 'person',
      narrow: 'lead',
      head: sessions.person,
      cell: ({ externalId }) =>
        externalId === null ? (
          <Maybe value={null} />
        ) : (
          <Link to={withQuery({ ...navigation.address.value, page: 'sessions', parts: [] }, { externalId })}>
            <bdi>{externalId}</bdi>
          </Link>
        ),
    },
    {
      name: 'reasons',
      narrow: 'rest',
      head: sessions.reasons,
      cell: (session) => <Reasons session={session} />,
    },
  ]
}

/** Columns about the checks, the assurance and the origin. */
function useJudgementColumns(): Column<ListedSession>[] {
  const { words } = useConsole()
  const { sessions, assurance, source, locale } = words.value
  return [
    {
      name: 'verification',
      head: sessions.verification,
      cell: ({ verificationId, verificationName }) =>
        verificationId === null ? (
          <span class="none">{sessions.noVerification}</span>
        ) : (
          <bdi>{verificationName ?? verificationId.slice(0, 8)}</bdi>
        ),
    },
    {
      name: 'assurance',
      head: sessions.assurance,
      cell: (session) => <Maybe value={session.assurance === null ? null : assurance[session.assurance]} />,
    },
    { name: 'source', head: sessions.source, cell: (session) => source[session.source] },
    {
      name: 'took',
      head: words.value.session.took,
      isNumber: true,
      cell: (session) => {
        const seconds = secondsOf(session)
        return <Maybe value={seconds === null ? null : duration(seconds, locale)} />
      },
    },
    { name: 'tries', head: sessions.tries, isNumber: true, cell: ({ tries }) => tries },
    {
      name: 'assigned',
      head: words.value.review.assigned,
      cell: ({ assignedTo }) => <Maybe value={assignedTo} />,
    },
    {
      name: 'review',
      head: sessions.review,
      cell: ({ review }) => <Maybe value={review === null ? null : words.value.result[review.decision]} />,
    },
    {
      name: 'session',
      head: sessions.session,
      cell: ({ verificationSessionId }) => <Id value={verificationSessionId} isShort />,
    },
  ]
}
