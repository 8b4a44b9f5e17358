import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { ReviewCounts } from '#server/features/sessions/records/review-counts.ts'
import type { getReviewCounts } from '#shared/contract/sessions/session-reviewing.ts'
import type { Handler } from '#shared/endpoint.ts'

export function createGetReviewCounts(
  reviewCounts: Pick<ReviewCounts, 'list'>,
): Handler<typeof getReviewCounts, AccountCaller> {
  return ({ query: { from, to }, caller: { accountId } }) =>
    reviewCounts.list(accountId, Date.parse(from), Date.parse(to))
}
