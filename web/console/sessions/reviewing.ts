import type { ListedSession } from '#shared/contract/sessions/session-list.ts'
import { Problem } from '#shared/problem.ts'
import type { ConsoleCalls } from '#web/console/core/calls.ts'

/** What a person decided about a session. */
export type Review = NonNullable<ListedSession['review']>

/**
 * Takes a decision back, while that can be done.
 * @throws {Problem} `review_final` later, `already_reviewed` where somebody else decided meanwhile
 */
export async function undoReview(
  { configuration }: Pick<ConsoleCalls, 'configuration'>,
  verificationSessionId: string,
): Promise<void> {
  const { sessions } = await configuration.getSessions({ verificationSessionId })
  const reviewedAt = sessions[0]?.review?.reviewedAt
  if (reviewedAt !== undefined) await configuration.undoReview({ verificationSessionId, reviewedAt })
}

/**
 * Saves what was decided about a session as it was seen.
 * @returns what somebody else decided meanwhile, and then nothing was saved; else undefined
 */
export async function saveReview(
  { configuration }: Pick<ConsoleCalls, 'configuration'>,
  seen: ListedSession,
  { decision, note }: Pick<Review, 'decision'> & { note: string },
): Promise<Review | undefined> {
  const { verificationSessionId } = seen
  const ifReviewedAt = seen.review?.reviewedAt ?? null
  const written = note.trim() === '' ? {} : { note: note.trim() }
  try {
    await configuration.reviewSession({ verificationSessionId, decision, ifReviewedAt, ...written })
    return undefined
  } catch (problem) {
    const isTaken = problem instanceof Problem && problem.code === 'already_reviewed'
    const { sessions } = isTaken
      ? await configuration.getSessions({ verificationSessionId })
      : { sessions: [] }
    const review = sessions[0]?.review ?? null
    if (review === null) throw problem
    return review
  }
}
