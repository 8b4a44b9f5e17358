import { busy } from '#server/features/sessions/access/refusals.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import { undoneWithinMilliseconds } from '#server/features/sessions/records/evidence-limits.ts'
import {
  decided,
  type EvidenceRecords,
  type PictureCounts,
  type SessionKey,
  undecided,
} from '#server/features/sessions/records/evidence-records.ts'
import type { ReviewCounts } from '#server/features/sessions/records/review-counts.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { DeliveryStore, Events } from '#server/features/webhooks/webhooks.ts'
import { type Clock, inPassing, type Store } from '#server/platform/store/store.ts'
import { type Transaction, transact } from '#server/platform/store/transaction.ts'
import type { Review } from '#shared/contract/sessions/session-result.ts'
import { Problem } from '#shared/problem.ts'
import { changeEvidence } from './change-evidence.ts'
import type { OpinionSample } from './second-opinions.ts'

interface Dependencies {
  readonly store: Pick<Store, 'commit'>
  readonly readSession: ReadSession
  readonly sessions: Pick<SessionStore, 'save'>
  readonly events: Pick<Events, 'prepare'>
  readonly deliveries: Pick<DeliveryStore, 'ofSession' | 'read' | 'remove'>
  readonly evidenceRecords: Pick<EvidenceRecords, 'read' | 'write'>
  readonly evidence: Pick<Evidence, 'removeLater'>
  readonly reviewCounts: Pick<ReviewCounts, 'count' | 'countOpinion'>
  readonly sample: OpinionSample
  readonly now: Clock
}

/** A decision about a session, as its reviewer made it. */
export interface ReviewDecision {
  readonly decision: Review['decision']
  readonly note: string | null
  /** The reviewed time of the review that the reviewer saw; null if there was none. */
  readonly ifReviewedAt: string | null
  /** The key or the operator's name. */
  readonly by: string
  /** The key whose viewings of the pictures count. */
  readonly keyId: string
  /** True if the decision can be undone, so that endpoints are notified after that. */
  readonly isHeld: boolean
}

/** A stored review: its time, and what its reviewer had been shown. */
export interface StoredReview {
  readonly reviewedAt: string
  readonly saw: PictureCounts | undefined
}

/** Reviews of ended sessions. */
export interface Reviews {
  /**
   * Records a reviewer's decision next to a result, which never changes. [Note: A review names what it saw] If two people
   * decide at once, the second is shown the first decision, and has to name it in order to replace it.
   * [Note: Reported once it stands] A decision made in the console can be undone for 10 seconds, so endpoints are notified
   * after that. A decision made with an API key is reported immediately.
   */
  review(whose: SessionKey, decision: ReviewDecision): Promise<StoredReview>
  /** Undoes a review while that is possible: restores the previous review and the pictures' retention. */
  undo(whose: SessionKey, reviewedAt: string): Promise<void>
}

export function createReviews(services: Dependencies): Reviews {
  const { store, evidence } = services
  return {
    async review(whose, decision) {
      const { prepared, ...stored } = await transact(
        store,
        (transaction) => decide(services, transaction, whose, decision),
        busy,
      )
      prepared.send()
      evidence.removeLater(whose, undoneWithinMilliseconds)
      return stored
    },
    async undo(whose, reviewedAt) {
      const send = await transact(
        store,
        (transaction) => withdraw(services, transaction, whose, reviewedAt),
        busy,
      )
      send()
    },
  }
}

async function decide(
  services: Dependencies,
  transaction: Transaction,
  whose: SessionKey,
  { decision, note, ifReviewedAt, by, keyId, isHeld }: ReviewDecision,
) {
  const { readSession, sessions, events, reviewCounts, sample, now } = services
  const read = await readSession(whose)
  if (read.value.outcome === null)
    throw new Problem('session_not_completed', 'The session is not yet completed.', { status: 409 })
  refuseUnseen(read.value, ifReviewedAt)
  const reviewedAt = timeAfter(read.value, now())
  const isDrawn = await sample.isDrawn(transaction, read.value)
  const kept = await changeEvidence(services.evidenceRecords, transaction, whose, (before) =>
    isDrawn ? undecided(before) : decided(before, Date.parse(reviewedAt)),
  )
  if (isDrawn) sample.await(transaction, read.value, kept?.after.until)
  const saw = kept?.before.seenBy?.[keyId]
  const reviewed = { decision, note, reviewedAt, by, ...(saw && { saw }) }
  const delay = isHeld ? undoneWithinMilliseconds : 0
  const prepared = await events.prepare(whose.accountId, eventOf(read.value), delay)
  transaction.write(...prepared.writes, reviewCounts.count(whose.accountId, reviewed, 1))
  const reviewBefore = { review: read.value.review, isHeld }
  sessions.save(transaction, read, { ...read.value, review: reviewed, reviewBefore })
  return { prepared, reviewedAt, saw }
}

/** Returns the function to call after the commit. */
async function withdraw(
  services: Dependencies,
  transaction: Transaction,
  whose: SessionKey,
  reviewedAt: string,
): Promise<() => void> {
  const { readSession, sessions, events, sample, now } = services
  const read = await readSession(whose)
  const { review, reviewBefore: before } = read.value
  if (review === null || momentOf(review.reviewedAt) !== momentOf(reviewedAt)) throw reviewedMeanwhile()
  if (before === undefined || now() >= Date.parse(review.reviewedAt) + undoneWithinMilliseconds)
    throw new Problem('review_final', 'The review was made more than 10 seconds ago.')
  const isAwaited = await sample.isLeft(transaction, read.value, before.review)
  await changeEvidence(services.evidenceRecords, transaction, whose, (kept) => {
    const asBefore = undecided(kept)
    if (before.review === null || isAwaited) return asBefore
    return decided(asBefore, Date.parse(before.review.reviewedAt))
  })
  const record = withoutReview(services, transaction, read.value, review)
  sessions.save(transaction, read, { ...record, review: before.review })
  const isReported =
    !before.isHeld || !(await withdrawDeliveries(services, transaction, whose, review.reviewedAt))
  if (!isReported) return () => undefined
  const prepared = await events.prepare(whose.accountId, eventOf(record))
  transaction.write(...prepared.writes)
  return prepared.send
}

/** The record without a review and an opinion about it, neither of which counts any more. */
function withoutReview(
  { reviewCounts }: Pick<Dependencies, 'reviewCounts'>,
  transaction: Transaction,
  { reviewBefore: _, secondOpinion, ...record }: SessionRecord,
  review: Review,
): SessionRecord {
  transaction.write(reviewCounts.count(record.accountId, review, -1))
  if (secondOpinion === undefined) return record
  if (Date.parse(secondOpinion.given.givenAt) < Date.parse(review.reviewedAt))
    return { ...record, secondOpinion }
  transaction.write(reviewCounts.countOpinion(record.accountId, secondOpinion, -1))
  return record
}

/**
 * Withdraws a review's pending deliveries. Each one is guarded, so that the commit is retried if a delivery starts in the
 * meantime. Returns true if no endpoint has been notified.
 */
async function withdrawDeliveries(
  { deliveries }: Pick<Dependencies, 'deliveries'>,
  transaction: Transaction,
  { accountId, sessionId }: SessionKey,
  reviewedAt: string,
): Promise<boolean> {
  let isUnheard = true
  for (const { deliveryId, event, occurredAt } of await deliveries.ofSession(accountId, sessionId)) {
    if (event !== 'VerificationReviewed' || occurredAt < reviewedAt) continue
    const read = await deliveries.read({ accountId, deliveryId })
    if (read === undefined) continue
    transaction.hold(read.guard)
    const { state, attempts } = read.value
    if (state === 'pending' && attempts.length === 0)
      transaction.write(...deliveries.remove(read.value).map(inPassing))
    else isUnheard = false
  }
  return isUnheard
}

function eventOf({ sessionId, created }: SessionRecord) {
  return {
    event: 'VerificationReviewed',
    verificationSessionId: sessionId,
    sessionCreated: created,
  } as const
}

function reviewedMeanwhile(): Problem {
  return new Problem(
    'already_reviewed',
    'Another review of the session has been made in the meantime. Read it and decide again.',
  )
}

/** @throws {Problem} 409 if the current review is not the one that the reviewer saw */
function refuseUnseen({ review }: SessionRecord, ifReviewedAt: string | null): void {
  const [current, seen] = [momentOf(review?.reviewedAt ?? null), momentOf(ifReviewedAt)]
  if (current !== seen) throw reviewedMeanwhile()
}

function momentOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time)
}

/** Identifies a review: no two reviews in a session have the same millisecond. */
function timeAfter({ review }: SessionRecord, now: number): string {
  const before = momentOf(review?.reviewedAt ?? null)
  return new Date(before === null ? now : Math.max(now, before + 1)).toISOString()
}
