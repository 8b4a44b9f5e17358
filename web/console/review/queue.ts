import type { ListedSession } from '#shared/contract/sessions/session-list.ts'

/** How many are asked for at once. */
export const queuePage = 100
/** With fewer left to look at, the next are asked for. */
const fewest = 10

/** The queue as far as it was asked for: the server sorts it, the least certain first. */
export interface Queue {
  readonly sessions: readonly ListedSession[]
  /** Where more of it begins; null at its end. */
  readonly cursor: string | null
}

/** The queue with its next page; nothing of it twice. */
export function withNext(queue: Queue, page: Queue): Queue {
  const known = new Set(queue.sessions.map(({ verificationSessionId }) => verificationSessionId))
  const fresh = page.sessions.filter(({ verificationSessionId: id }) => !known.has(id))
  return { sessions: [...queue.sessions, ...fresh], cursor: page.cursor }
}

/** Whether the next page is wanted, with so many before whoever goes through it. */
export function wantsNext({ cursor }: Queue, left: number): boolean {
  return cursor !== null && left < fewest
}

/** How many there are, as far as is known: `100+`. */
export function countOf({ cursor }: Queue, left: number): string {
  return cursor === null ? String(left) : `${left}+`
}

/** What a key does in the queue. */
export type QueueKey = 'next' | 'previous' | 'Pass' | 'Fail' | 'note'

export const queueKeys: Readonly<Record<string, QueueKey>> = {
  j: 'next',
  k: 'previous',
  p: 'Pass',
  f: 'Fail',
  n: 'note',
}

/** Where a session stands once it is back among those that are left. */
export function placeOf({ sessions }: Queue, done: ReadonlySet<string>, id: string): number {
  const left = sessions.filter(({ verificationSessionId: one }) => one === id || !done.has(one))
  return placeWithin(
    left.findIndex(({ verificationSessionId: one }) => one === id),
    left.length,
  )
}

/** Where the queue stands after one of so many has gone, or after a step; never outside of it. */
export function placeWithin(place: number, count: number): number {
  return Math.max(0, Math.min(place, count - 1))
}

/** Where somebody is in the queue: at a session, and where it stood. */
export interface Place {
  readonly id: string | undefined
  readonly index: number
}

export const nowhere: Place = { id: undefined, index: 0 }

/** Where among those that are left that is: with its session wherever it stands, or at the one that has come in its place. */
export function standingAt(left: Queue['sessions'], { id, index }: Place): number {
  const found = left.findIndex(({ verificationSessionId: one }) => one === id)
  return found === -1 ? placeWithin(index, left.length) : found
}
