import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** A list's rows, and the newer ones that wait above it. */
export interface LiveList {
  readonly shown: readonly ListedSession[]
  readonly waiting: readonly ListedSession[]
}

const idOf = ({ verificationSessionId }: ListedSession) => verificationSessionId

/**
 * Merges a fresh first page. Sessions that are shown are updated in place, new ones wait, and ones missing from the page's time range
 * are removed. Other rows do not move until the person asks for it. Returns undefined if the page does not overlap with any known row
 * and is not the last one: in that case the rows in between are missing, so the list has to start over.
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

/** Moves the waiting rows to the top of the list. */
export function showWaiting({ shown, waiting }: LiveList): LiveList {
  return { shown: [...waiting, ...shown], waiting: [] }
}

/** Appends the next page to the list. */
export function showMore(list: LiveList, page: readonly ListedSession[]): LiveList {
  const known = new Set(list.shown.map(idOf))
  return { ...list, shown: [...list.shown, ...page.filter((session) => !known.has(idOf(session)))] }
}
