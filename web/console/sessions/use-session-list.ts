import { useEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '#web/console/core/console-context.ts'
import { useSessionNews } from '#web/console/core/session-news.ts'
import { useAccountKey } from '#web/console/core/use-account-data.ts'
import { useDoing, useLoaded } from '#web/console/core/use-loaded.ts'
import { useRepeated } from '#web/console/core/use-repeated.ts'
import type { Filters } from './filters.ts'
import { type LiveList, showMore, showWaiting, takeFresh } from './live-list.ts'

const pageSize = 50
/** The server streams updates. Polling is a fallback for networks that block the stream. */
const lookMilliseconds = 20_000

/** The loaded rows, the filters they match, and the next cursor. */
interface LoadedSessions {
  readonly key: string
  readonly list: LiveList
  readonly cursor: string | null
}

/** Loads sessions page by page. The rows always match the current filters. */
export function useSessionList(filters: Filters) {
  const { calls } = useConsole()
  const key = useAccountKey([filters])
  const ofAccount = useAccountKey()
  const [kept, setKept] = useState<LoadedSessions>()
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
  const begin = (page: Awaited<ReturnType<typeof ask>>) =>
    setKept({ key, list: { shown: page.sessions, waiting: [] }, cursor: page.cursor })
  useEffect(() => {
    if (first.value !== undefined) begin(first.value)
  }, [first.value])
  const { list, cursor } = kept?.key === key ? kept : { list: { shown: [], waiting: [] }, cursor: null }
  /** Updates the list, unless the filters have changed in the meantime. */
  const change = (next: (before: LoadedSessions) => LoadedSessions) =>
    setKept((before) => (before?.key === key ? next(before) : before))
  const look = async () => {
    if (first.isLoading) return
    const fresh = await ask().catch(() => undefined)
    if (fresh === undefined || current.current !== key) return
    change((before) => {
      const isWhole = fresh.cursor === null
      const taken =
        before.list.shown.length === 0 ? undefined : takeFresh(before.list, fresh.sessions, isWhole)
      const begun = { shown: fresh.sessions, waiting: [] }
      return taken === undefined ? { key, list: begun, cursor: fresh.cursor } : { ...before, list: taken }
    })
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
    showNew: () => change((before) => ({ ...before, list: showWaiting(before.list) })),
    more: () =>
      more.run(async () => {
        if (cursor === null) return
        const page = await ask(cursor)
        // If the list was restarted in the meantime, this page does not continue it.
        change((before) =>
          before.cursor === cursor
            ? { ...before, list: showMore(before.list, page.sessions), cursor: page.cursor }
            : before,
        )
      }),
  }
}
