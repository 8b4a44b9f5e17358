import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { Reviews } from '#server/features/sessions/reviewing/reviews.ts'

export type ReviewHandlers = HandlersOf<'configuration', 'reviewSession' | 'undoReview'>

export function createReviewHandlers(reviews: Reviews): ReviewHandlers {
  return {
    async reviewSession({ body, caller }) {
      const { accountId, keyId, operatorName } = caller
      const { verificationSessionId: sessionId, decision, note = null, ifReviewedAt = null } = body
      const { reviewedAt, saw } = await reviews.review(
        { accountId, sessionId },
        {
          decision,
          note,
          ifReviewedAt,
          by: operatorName ?? keyId,
          keyId,
          isHeld: caller.via === 'operator',
        },
      )
      if (saw !== undefined) caller.saw = 'pictures'
      return { reviewedAt }
    },
    async undoReview({ body, caller: { accountId } }) {
      await reviews.undo({ accountId, sessionId: body.verificationSessionId }, body.reviewedAt)
      return {}
    },
  }
}
