import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'
import { UndoRefused } from '#web/console/core/undo-refused.ts'

/** A reviewer's decision on a session. */
export type Review = NonNullable<ListedSession['review']>

/**
 * Withdraws precisely this review, as long as the time limit allows it.
 * @throws {Problem} `review_final` after that time, `already_reviewed` as {@link UndoRefused} if there is another review by now
 */
export async function undoReview(
  { configuration }: Pick<ConsoleCalls, 'configuration'>,
  verificationSessionId: string,
  reviewedAt: string,
): Promise<void> {
  try {
    await configuration.undoReview({ verificationSessionId, reviewedAt })
  } catch (problem) {
    throw isTaken(problem) ? new UndoRefused(problem) : problem
  }
}

function isTaken(problem: unknown): problem is Problem {
  return problem instanceof Problem && problem.code === 'already_reviewed'
}

/** The result of saving a review: its name, or the conflicting review if nothing was saved. */
type SavedReview =
  | { readonly reviewedAt: string; readonly faster?: undefined }
  | { readonly faster: Review; readonly reviewedAt?: undefined }

/** Saves a review for a session in the state in which the reviewer saw it. */
export async function saveReview(
  { configuration }: Pick<ConsoleCalls, 'configuration'>,
  seen: ListedSession,
  { decision, note }: Pick<Review, 'decision'> & { note: string },
): Promise<SavedReview> {
  const { verificationSessionId } = seen
  const ifReviewedAt = seen.review?.reviewedAt ?? null
  const written = note.trim() === '' ? {} : { note: note.trim() }
  try {
    const sent = { verificationSessionId, decision, ifReviewedAt, ...written }
    const { reviewedAt } = await configuration.reviewSession(sent)
    return { reviewedAt }
  } catch (problem) {
    const { sessions } = isTaken(problem)
      ? await configuration.getSessions({ verificationSessionId })
      : { sessions: [] }
    const review = sessions[0]?.review ?? null
    if (review === null) throw problem
    return { faster: review }
  }
}
