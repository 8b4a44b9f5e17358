import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { useConsole } from '#web/console/core/console-context.ts'
import { usePages } from '#web/console/core/use-account-data.ts'
import { StandingBadge } from '#web/console/sessions/session-badges.tsx'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, Maybe, PageHead, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'

/** A session that shows the same face; its facts are missing if it is no longer listed. */
interface Similar {
  readonly id: string
  readonly createdAt: string
  readonly similarity: number
  readonly listed: ListedSession | undefined
}

/** The sessions that show the same face as one session. */
export function SimilarPage({ id }: { id: string }) {
  const { words, calls } = useConsole()
  const { configuration } = calls
  const { face, page, session, sessions, action } = words.value
  const pages = usePages(
    async (cursor?: string) => {
      const found = await configuration.getSimilarSessions({
        verificationSessionId: id,
        ...(cursor && { cursor }),
      })
      const rows = found.sessions.map(async ({ verificationSessionId, createdAt, similarity }) => {
        const list = await configuration.getSessions({ verificationSessionId })
        return { id: verificationSessionId, createdAt, similarity, listed: list.sessions[0] }
      })
      return { rows: await Promise.all(rows), next: found.cursor, hasFace: found.hasFace }
    },
    ({ rows, next }) => ({ rows, next }),
    (one: Similar) => one.id,
    [id],
  )
  const { found, rows, hasMore, showMore, doing } = pages
  return (
    <>
      <nav class="trail">
        <Link to={{ page: 'sessions' }}>{page.sessions}</Link> ·{' '}
        <Link to={{ page: 'sessions', parts: [id] }}>
          {session.title} <code dir="ltr">{id.slice(0, 8)}</code>
        </Link>
      </nav>
      <PageHead title={face.title} />
      <ProblemNote problem={found.problem ?? doing.problem} onRetry={found.reload} />
      {found.value !== undefined && rows.length === 0 && (
        <Empty title={found.value.hasFace ? face.none : face.noFace} advice={sessions.noneAdvice} />
      )}
      {rows.length > 0 && (
        <>
          <p class="small">{face.lead}</p>
          <SimilarTable rows={rows} />
        </>
      )}
      {hasMore && <Button onPress={showMore}>{action.more}</Button>}
    </>
  )
}

function SimilarTable({ rows }: { rows: readonly Similar[] }) {
  const { words } = useConsole()
  const { face, sessions, overview } = words.value
  return (
    <Table
      caption={face.title}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'time',
          head: sessions.time,
          cell: ({ id, createdAt }) => (
            <Link to={{ page: 'sessions', parts: [id] }} class="row-link">
              <Time at={createdAt} />
            </Link>
          ),
        },
        {
          name: 'outcome',
          head: overview.outcome,
          cell: ({ listed }) =>
            listed === undefined ? <Maybe value={null} /> : <StandingBadge session={listed} />,
        },
        { name: 'person', head: sessions.person, cell: ({ listed }) => <Maybe value={listed?.externalId} /> },
        {
          name: 'verification',
          head: sessions.verification,
          cell: ({ listed }) => <Maybe value={listed?.verificationName} />,
        },
        { name: 'similarity', head: face.similarity, isNumber: true, cell: ({ similarity }) => similarity },
      ]}
    />
  )
}
