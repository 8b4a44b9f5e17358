import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** What a list shows, and what has come meanwhile and waits above it. */
export interface LiveList {
  readonly shown: readonly ListedSession[]
  readonly waiting: readonly ListedSession[]
}

const idOf = ({ verificationSessionId }: ListedSession) => verificationSessionId

/**
 * Takes a fresh first page in: sessions that are shown change in their place, new ones wait, and what the page does not have in its own range
 * of time has left. No other row moves before somebody asks for it. Undefined where the page meets nothing that is known, and there is more of
 * it: what lies between was never asked for, so that the list has to begin afresh.
 * @param isWhole whether no other page comes after it
 */
export function takeFresh(
  { shown, waiting }: LiveList,
  fresh: readonly ListedSession[],
  isWhole: boolean,
): LiveList | undefined {
  const latest = new Map(fresh.map((session) => [idOf(session), session]))
  const listed = [...waiting, ...shown]
  if (!isWhole && !listed.some((session) => latest.has(idOf(session)))) return undefined
  const oldest = isWhole ? Number.NEGATIVE_INFINITY : Math.min(...fresh.map(createdAt))
  // Of those that began in the very moment of its last one, some may stand on the next page.
  const isLeft = (session: ListedSession) => !latest.has(idOf(session)) && createdAt(session) > oldest
  const still = (sessions: readonly ListedSession[]) =>
    sessions.filter((session) => !isLeft(session)).map((session) => latest.get(idOf(session)) ?? session)
  const known = new Set(listed.map(idOf))
  const newestShown = shown[0] === undefined ? Number.NEGATIVE_INFINITY : createdAt(shown[0])
  const news = fresh.filter((session) => !known.has(idOf(session)) && createdAt(session) >= newestShown)
  return {
    shown: still(shown),
    waiting: [...still(waiting), ...news].sort((a, b) => createdAt(b) - createdAt(a)),
  }
}

function createdAt(session: ListedSession): number {
  return Date.parse(session.createdAt)
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
