import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** Page size. */
export const queuePage = 100
/** The next page is loaded when fewer sessions than this are left. */
const fewest = 10

/** The loaded part of the queue. The server sorts it, least certain first. */
export interface Queue {
  readonly sessions: readonly ListedSession[]
  /** Cursor of the next page; null at the end. */
  readonly cursor: string | null
}

/** Appends a page without duplicates. */
export function withNext(queue: Queue, page: Queue): Queue {
  const known = new Set(queue.sessions.map(({ verificationSessionId }) => verificationSessionId))
  const fresh = page.sessions.filter(({ verificationSessionId: id }) => !known.has(id))
  return { sessions: [...queue.sessions, ...fresh], cursor: page.cursor }
}

/** True if the next page should be loaded. */
export function wantsNext({ cursor }: Queue, left: number): boolean {
  return cursor !== null && left < fewest
}

/** Number of sessions, as far as known: `100+`. */
export function countOf({ cursor }: Queue, left: number): string {
  return cursor === null ? String(left) : `${left}+`
}

/** Action of a key in the queue. */
export type QueueKey = 'next' | 'previous' | 'Pass' | 'Fail' | 'note'

export const queueKeys: Readonly<Record<string, QueueKey>> = {
  j: 'next',
  k: 'previous',
  p: 'Pass',
  f: 'Fail',
  n: 'note',
}

/** Position of a session after it returns to the remaining ones. */
export function placeOf({ sessions }: Queue, done: ReadonlySet<string>, id: string): number {
  const left = sessions.filter(({ verificationSessionId: one }) => one === id || !done.has(one))
  return placeWithin(
    left.findIndex(({ verificationSessionId: one }) => one === id),
    left.length,
  )
}

/** Keeps a position within the queue after a session was removed or a step was made. */
export function placeWithin(place: number, count: number): number {
  return Math.max(0, Math.min(place, count - 1))
}

/** Position of the reviewer: a session and its index. */
export interface Place {
  readonly id: string | undefined
  readonly index: number
}

export const nowhere: Place = { id: undefined, index: 0 }

/** Current index of that session, or of the one that took its place. */
export function standingAt(left: Queue['sessions'], { id, index }: Place): number {
  const found = left.findIndex(({ verificationSessionId: one }) => one === id)
  return found === -1 ? placeWithin(index, left.length) : found
}
