import type { SessionLists } from './session-lists.ts'

/** An account's sessions that should be reviewed: how many, and when the oldest was created. */
export type WaitingReviews = (
  accountId: string,
) => Promise<{ readonly count: number; readonly oldest: number | null }>

export function createWaitingReviews(lists: Pick<SessionLists, 'tally'>): WaitingReviews {
  return (accountId) => lists.tally(accountId, { review: 'wanted' })
}
