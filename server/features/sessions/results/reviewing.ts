import type { AccountCaller } from '#server/features/callers/callers.ts'
import { busy, type ReadSession } from '#server/features/sessions/access.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import { undoneWithinMilliseconds } from '#server/features/sessions/evidence/evidence-limits.ts'
import {
  decided,
  type EvidenceRecord,
  type EvidenceRecords,
  undecided,
  type Whose,
} from '#server/features/sessions/evidence/evidence-records.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { ReviewCounts } from '#server/features/sessions/reviewing/review-counts.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { DeliveryStore, Events } from '#server/features/webhooks/webhooks.ts'
import { type Clock, inPassing, type Store } from '#server/platform/store/store.ts'
import { type Transaction, transact } from '#server/platform/store/transaction.ts'
import type { undoReview } from '#shared/contract/sessions/session-evidence.ts'
import type { reviewSession } from '#shared/contract/sessions/session-list.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

interface Dependencies {
  readonly store: Pick<Store, 'commit'>
  readonly readSession: ReadSession
  readonly sessions: Pick<SessionStore, 'save'>
  readonly events: Pick<Events, 'prepare'>
  readonly deliveries: Pick<DeliveryStore, 'ofSession' | 'read' | 'remove'>
  readonly evidenceRecords: Pick<EvidenceRecords, 'read' | 'write'>
  readonly evidence: Pick<Evidence, 'removeLater'>
  readonly reviewCounts: Pick<ReviewCounts, 'count'>
  readonly now: Clock
}

/**
 * Records a reviewer's decision next to a result, which never changes. [Note: A review names what it saw] If two people
 * decide at once, the second is shown the first decision, and has to name it in order to replace it.
 * [Note: Reported once it stands] A decision made in the console can be undone for 10 seconds, so endpoints are notified
 * after that. A decision made with an API key is reported immediately.
 */
export function createReviewSession(services: Dependencies): Handler<typeof reviewSession, AccountCaller> {
  const { store, readSession, sessions, events, evidence, now } = services
  return async ({ body, caller }) => {
    const { accountId, keyId, operatorName } = caller
    const whose = { accountId, sessionId: body.verificationSessionId }
    const isHeld = caller.via === 'operator'
    const review = async (transaction: Transaction) => {
      const read = await readSession(whose)
      if (read.value.outcome === null)
        throw new Problem('session_not_completed', 'The session is not yet completed.', { status: 409 })
      const { decision, note = null, ifReviewedAt = null } = body
      refuseUnseen(read.value, ifReviewedAt)
      const reviewedAt = timeAfter(read.value, now())
      const kept = await changeEvidence(services, transaction, whose, (before) =>
        decided(before, Date.parse(reviewedAt)),
      )
      const saw = kept?.seenBy?.[keyId]
      if (saw !== undefined) caller.saw = 'pictures'
      const reviewed = { decision, note, reviewedAt, by: operatorName ?? keyId, ...(saw && { saw }) }
      const prepared = await events.prepare(
        accountId,
        eventOf(read.value),
        isHeld ? undoneWithinMilliseconds : 0,
      )
      transaction.write(...prepared.writes, services.reviewCounts.count(accountId, reviewed, 1))
      const reviewBefore = { review: read.value.review, isHeld }
      sessions.save(transaction, read, { ...read.value, review: reviewed, reviewBefore })
      return { prepared, reviewedAt }
    }
    const { prepared, reviewedAt } = await transact(store, review, busy)
    prepared.send()
    evidence.removeLater(whose, undoneWithinMilliseconds)
    return { reviewedAt }
  }
}

/** Undoes a review while that is possible: restores the previous review and the pictures' retention. */
export function createUndoReview(services: Dependencies): Handler<typeof undoReview, AccountCaller> {
  const { store, readSession, sessions, events, now } = services
  return async ({ body, caller: { accountId } }) => {
    const whose = { accountId, sessionId: body.verificationSessionId }
    const undo = async (transaction: Transaction) => {
      const read = await readSession(whose)
      const { review, reviewBefore: before } = read.value
      if (review === null || momentOf(review.reviewedAt) !== momentOf(body.reviewedAt))
        throw reviewedMeanwhile()
      if (before === undefined || now() >= Date.parse(review.reviewedAt) + undoneWithinMilliseconds)
        throw new Problem('review_final', 'The review was made more than 10 seconds ago.')
      await changeEvidence(services, transaction, whose, (kept) => {
        const asBefore = undecided(kept)
        return before.review === null ? asBefore : decided(asBefore, Date.parse(before.review.reviewedAt))
      })
      const { reviewBefore: _, ...record } = read.value
      transaction.write(services.reviewCounts.count(accountId, review, -1))
      sessions.save(transaction, read, { ...record, review: before.review })
      const isReported = !before.isHeld || !(await withdraw(services, transaction, whose, review.reviewedAt))
      if (isReported) {
        const prepared = await events.prepare(accountId, eventOf(record))
        transaction.write(...prepared.writes)
        return prepared.send
      }
      return () => undefined
    }
    const send = await transact(store, undo, busy)
    send()
    return {}
  }
}

/**
 * Withdraws a review's pending deliveries. Each one is guarded, so that the commit is retried if a delivery starts in the
 * meantime. Returns true if no endpoint has been notified.
 */
async function withdraw(
  { deliveries }: Pick<Dependencies, 'deliveries'>,
  transaction: Transaction,
  { accountId, sessionId }: Whose,
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

/** Changes the retention of a session's pictures in the same commit, and returns the previous one. */
async function changeEvidence(
  { evidenceRecords }: Pick<Dependencies, 'evidenceRecords'>,
  transaction: Transaction,
  whose: Whose,
  change: (kept: EvidenceRecord) => EvidenceRecord,
): Promise<EvidenceRecord | undefined> {
  const kept = await evidenceRecords.read(whose)
  if (kept?.value.isKept !== true) return undefined
  transaction.hold(kept.guard)
  transaction.write(evidenceRecords.write(whose, change(kept.value)))
  return kept.value
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
