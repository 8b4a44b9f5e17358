import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** Page size. */
export const queuePage = 100
/** The next page is loaded when fewer sessions than this remain. */
const fewest = 10

/** The part of the queue that has been loaded. The server sorts it, starting with the least certain session. */
export interface Queue {
  readonly sessions: readonly ListedSession[]
  /** The next page's cursor; null at the end. */
  readonly cursor: string | null
}

/** Appends a page and drops duplicates. */
export function withNext(queue: Queue, page: Queue): Queue {
  const known = new Set(queue.sessions.map(({ verificationSessionId }) => verificationSessionId))
  const fresh = page.sessions.filter(({ verificationSessionId: id }) => !known.has(id))
  return { sessions: [...queue.sessions, ...fresh], cursor: page.cursor }
}

/** True if it is time to load the next page. */
export function wantsNext({ cursor }: Queue, left: number): boolean {
  return cursor !== null && left < fewest
}

/** The number of sessions as far as it is known, such as `100+`. */
export function countOf({ cursor }: Queue, left: number): string {
  return cursor === null ? String(left) : `${left}+`
}

/** The action for a key in the queue. */
export type QueueKey = 'next' | 'previous' | 'Pass' | 'Fail' | 'note'

export const queueKeys: Readonly<Record<string, QueueKey>> = {
  j: 'next',
  k: 'previous',
  p: 'Pass',
  f: 'Fail',
  n: 'note',
}

/** The position of a session that has just returned to the remaining ones. */
export function placeOf({ sessions }: Queue, done: ReadonlySet<string>, id: string): number {
  const left = sessions.filter(({ verificationSessionId: one }) => one === id || !done.has(one))
  return placeWithin(
    left.findIndex(({ verificationSessionId: one }) => one === id),
    left.length,
  )
}

/** Keeps a position within the queue after a session was removed or the reviewer moved on. */
export function placeWithin(place: number, count: number): number {
  return Math.max(0, Math.min(place, count - 1))
}

/** The reviewer's position: a session and its index. */
export interface Place {
  readonly id: string | undefined
  readonly index: number
}

export const nowhere: Place = { id: undefined, index: 0 }

/** The current index of that session, or of the one that took its place. */
export function standingAt(left: Queue['sessions'], { id, index }: Place): number {
  const found = left.findIndex(({ verificationSessionId: one }) => one === id)
  return found === -1 ? placeWithin(index, left.length) : found
}
