import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** The rows of a list, and newer ones that wait above it. */
export interface LiveList {
  readonly shown: readonly ListedSession[]
  readonly waiting: readonly ListedSession[]
}

const idOf = ({ verificationSessionId }: ListedSession) => verificationSessionId

/**
 * Merges a fresh first page: shown sessions are updated in place, new ones wait, and those missing within the time range of the page
 * are removed. Other rows do not move until the person asks for it. Returns undefined if the page overlaps with no known row and is not
 * the last one: rows in between were never loaded, so the list has to restart.
 * @param isWhole true if no other page follows
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
  // Sessions created at the same moment as the last one may be on the next page.
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

/** Adds the waiting rows to the top. */
export function showWaiting({ shown, waiting }: LiveList): LiveList {
  return { shown: [...waiting, ...shown], waiting: [] }
}

/** Adds the next page at the end. */
export function showMore(list: LiveList, page: readonly ListedSession[]): LiveList {
  const known = new Set(list.shown.map(idOf))
  return { ...list, shown: [...list.shown, ...page.filter((session) => !known.has(idOf(session)))] }
}
