import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { withQuery } from '#web/console/core/address.ts'
import { useConsole, useMe } from '#web/console/core/console-context.ts'
import { useDoing, useLoaded } from '#web/console/core/use-loaded.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, Id, Maybe, PageHead, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { type Column, Table } from '#web/console/ui/table.tsx'
import { count } from '#web/wording/fill.ts'
import { readFilters } from './filters.ts'
import { type LiveList, showMore, showWaiting, takeFresh } from './live-list.ts'
import { Reasons, StandingBadge } from './session-badges.tsx'
import { SessionFilters } from './session-filters.tsx'

const pageSize = 50
const lookMilliseconds = 5000
const nothing: LiveList = { shown: [], waiting: [] }

/** The list of sessions: filters in the address, pages by cursor, new ones wait above until they are asked for. */
export function SessionsPage() {
  const { words, navigation } = useConsole()
  const filters = readFilters(navigation.address.value.query)
  const isFiltered = Object.keys(filters).length > 0
  const { list, isLoading, problem, cursor, more, moreProblem, reload, showNew } = useSessionList(filters)
  const { sessions } = words.value
  const clear = () =>
    navigation.go({ page: 'sessions' })
  return (
    <>
      <PageHead title={words.value.page.sessions} />
      <SessionFilters filters={filters} />
      <div class="live">
        {list.waiting.length > 0 ? (
          <Button kind="quiet" onPress={showNew}>
            {count(words.value.locale, sessions.newOnes, list.waiting.length)}
          </Button>
        ) : (
          <span class="small">{sessions.upToDate}</span>
        )}
      </div>
      <ProblemNote problem={problem} onRetry={reload} />
      {list.shown.length > 0 ? (
        <SessionTable sessions={list.shown} isBusy={isLoading} caption={sessions.caption} />
      ) : (
        !isLoading &&
        problem === undefined &&
        (isFiltered ? (
          <Empty title={sessions.none} advice={sessions.noneAdvice}>
            <Button onPress={clear}>{words.value.action.clear}</Button>
          </Empty>
        ) : (
          <Empty title={sessions.empty} advice={sessions.emptyAdvice}>
            <Link to={{ page: 'verifications' }} class="press primary">
              {words.value.page.verifications}
            </Link>
          </Empty>
        ))
      )}
      <ProblemNote problem={moreProblem} />
      {cursor !== null && <Button onPress={more}>{words.value.action.more}</Button>}
    </>
  )
}

function useSessionList(filters: ReturnType<typeof readFilters>) {
  const { calls } = useConsole()
  const me = useMe()
  const key = JSON.stringify([me.accountId, me.environment, filters])
  const [list, setList] = useState(nothing)
  const [cursor, setCursor] = useState<string | null>(null)
  const ask = (next?: string) =>
    calls.configuration.getSessions({ ...filters, limit: pageSize, ...(next === undefined ? {} : { cursor: next }) } as never)
  const first = useLoaded(key, () => ask())
  const more = useDoing()
  const current = useRef(key)
  current.current = key
  useEffect(() => {
    if (first.value === undefined) return
    setList({ shown: first.value.sessions, waiting: [] })
    setCursor(first.value.cursor)
  }, [first.value])
  useRepeated(lookMilliseconds, async () => {
    if (first.isLoading) return
    const asked = key
    const fresh = await ask().catch(() => undefined)
    if (fresh !== undefined && current.current === asked)
      setList((before) =>
        before.shown.length === 0 ? { shown: fresh.sessions, waiting: [] } : takeFresh(before, fresh.sessions),
      )
  })
  return {
    list,
    cursor,
    isLoading: first.isLoading,
    problem: first.problem,
    moreProblem: more.problem,
    reload: first.reload,
    showNew: () => setList(showWaiting),
    more: () =>
      more.run(async () => {
        const page = await ask(cursor!)
        setList((before) => showMore(before, page.sessions))
        setCursor(page.cursor)
      }),
  }
}

interface SessionTableProps {
  readonly sessions: readonly ListedSession[]
  readonly caption: string
  readonly isBusy?: boolean
}

/** Sessions as rows, each a way to its own page. */
export function SessionTable({ sessions: rows, caption, isBusy = false }: SessionTableProps) {
  const { words, navigation } = useConsole()
  const { sessions, assurance, source } = words.value
  const columns: Column<ListedSession>[] = [
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
    {
      name: 'verification',
      head: sessions.verification,
      cell: ({ verificationId, verificationName }) =>
        verificationId === null ? (
          <span class="none">{sessions.standsAlone}</span>
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
