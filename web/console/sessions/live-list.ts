import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** What a list shows, and what has come meanwhile and waits above it. */
export interface LiveList {
  readonly shown: readonly ListedSession[]
  readonly waiting: readonly ListedSession[]
}

const idOf = ({ verificationSessionId }: ListedSession) => verificationSessionId

/**
 * Takes a fresh first page in: sessions that are shown change in their place, new ones wait. No row moves before somebody
 * asks for it.
 */
export function takeFresh({ shown, waiting }: LiveList, fresh: readonly ListedSession[]): LiveList {
  const latest = new Map([...waiting, ...fresh].map((session) => [idOf(session), session]))
  const known = new Set(shown.map(idOf))
  const newestShown = Date.parse(shown[0]?.createdAt ?? '')
  const isNew = (session: ListedSession) =>
    !known.has(idOf(session)) && !(Date.parse(session.createdAt) < newestShown)
  const now = shown.map((session) => latest.get(idOf(session)) ?? session)
  const news = [...latest.values()].filter(isNew)
  return {
    shown: now,
    waiting: news.sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt)),
  }
}

/** Puts what waits above the rest. */
export function showWaiting({ shown, waiting }: LiveList): LiveList {
  return { shown: [...waiting, ...shown], waiting: [] }
}

/** Puts the next page below the rest. */
export function showMore(list: LiveList, page: readonly ListedSession[]): LiveList {
  const known = new Set(list.shown.map(idOf))
  return { ...list, shown: [...list.shown, ...page.filter((session) => !known.has(idOf(session)))] }
}
