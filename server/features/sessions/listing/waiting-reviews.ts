import type { SessionLists } from './session-lists.ts'

/** An account's failed sessions that wait for a review: how many, and when the oldest was created. */
export type WaitingReviews = (
  accountId: string,
) => Promise<{ readonly count: number; readonly oldest: number | null }>

export function createWaitingReviews(lists: Pick<SessionLists, 'tally'>): WaitingReviews {
  return (accountId) => lists.tally(accountId, { outcome: 'failed', review: 'waiting' })
}
