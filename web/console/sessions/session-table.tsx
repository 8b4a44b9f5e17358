import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { duration } from '#web/console/core/times.ts'
import { Link } from '#web/console/ui/link.tsx'
import { Id, Maybe, Time } from '#web/console/ui/pieces.tsx'
import { type Column, Table } from '#web/console/ui/table.tsx'
import { Reasons, StandingBadge } from './session-badges.tsx'
import { nextOrder, type Order, type Sorting, secondsOf, sortings } from './sorting.ts'

interface SessionTableProps {
  readonly sessions: readonly ListedSession[]
  readonly caption: string
  readonly isBusy?: boolean
  readonly order: Order | undefined
  readonly onOrder: (order: Order | undefined) => void
}

/** A table of sessions that link to their pages. */
export function SessionTable({ sessions: rows, caption, isBusy = false, order, onOrder }: SessionTableProps) {
  const columns = [...useVisitColumns(), ...useJudgementColumns()].map((column) => {
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
    />
  )
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
  const { sessions } = words.value
  return [
    { name: 'result', head: sessions.result, cell: (session) => <StandingBadge session={session} /> },
    {
      name: 'time',
      head: sessions.time,
      cell: ({ verificationSessionId, createdAt }) => (
        <Link to={{ page: 'sessions', parts: [verificationSessionId] }} class="row-link">
          <Time at={createdAt} />
        </Link>
      ),
    },
    {
      name: 'person',
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
    { name: 'reasons', head: sessions.reasons, cell: (session) => <Reasons session={session} /> },
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
