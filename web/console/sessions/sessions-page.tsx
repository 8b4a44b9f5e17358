import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { useSessionNews } from '#web/console/core/session-news.ts'
import { useAccountKey } from '#web/console/core/use-account-data.ts'
import { useDoing, useLoaded } from '#web/console/core/use-loaded.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Link } from '#web/console/ui/link.tsx'
import { Empty, PageHead } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { count } from '#web/wording/fill.ts'
import { readFilters } from './filters.ts'
import { type LiveList, showMore, showWaiting, takeFresh } from './live-list.ts'
import { SessionFilters } from './session-filters.tsx'
import { SessionTable } from './session-table.tsx'

const pageSize = 50
/** The server tells of news by itself; this is for where its stream does not come through. */
const lookMilliseconds = 20_000
const nothing: LiveList = { shown: [], waiting: [] }

/** The list of sessions: filters in the address, pages by cursor, new ones wait above until they are asked for. */
export function SessionsPage() {
  const { words, navigation } = useConsole()
  const filters = readFilters(navigation.address.value.query)
  const isFiltered = Object.keys(filters).length > 0
  const { list, isLoading, problem, cursor, more, moreProblem, reload, showNew } = useSessionList(filters)
  const { sessions } = words.value
  const clear = () => navigation.go({ page: 'sessions' })
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
  const key = useAccountKey([filters])
  const ofAccount = useAccountKey()
  const [list, setList] = useState(nothing)
  const [cursor, setCursor] = useState<string | null>(null)
  const ask = (next?: string) =>
    calls.configuration.getSessions({
      ...filters,
      limit: pageSize,
      ...(next === undefined ? {} : { cursor: next }),
    })
  const first = useLoaded(key, () => ask())
  const more = useDoing()
  const current = useRef(key)
  current.current = key
  useEffect(() => {
    if (first.value === undefined) return
    setList({ shown: first.value.sessions, waiting: [] })
    setCursor(first.value.cursor)
  }, [first.value])
  const look = async () => {
    if (first.isLoading) return
    const asked = key
    const fresh = await ask().catch(() => undefined)
    if (fresh !== undefined && current.current === asked)
      setList((before) =>
        before.shown.length === 0
          ? { shown: fresh.sessions, waiting: [] }
          : takeFresh(before, fresh.sessions),
      )
  }
  useSessionNews(ofAccount, look)
  useRepeated(lookMilliseconds, look)
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
