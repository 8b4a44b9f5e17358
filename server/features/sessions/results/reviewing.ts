import type { AccountCaller } from '#server/features/callers/callers.ts'
import { busy, type ReadSession } from '#server/features/sessions/access.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { type Transaction, transact } from '#server/platform/store/transaction.ts'
import type { reviewSession } from '#shared/contract/sessions/session-list.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

interface Dependencies {
  readonly store: Pick<Store, 'commit'>
  readonly readSession: ReadSession
  readonly sessions: Pick<SessionStore, 'save'>
  readonly events: Pick<Events, 'prepare'>
  readonly now: Clock
}

/**
 * Notes next to a result what a person decided; the result itself never changes. [Note: A review names what it saw] Of two who decide at once
 * the second one learns of the first, and replaces it only by its name.
 */
export function createReviewSession({
  store,
  readSession,
  sessions,
  events,
  now,
}: Dependencies): Handler<typeof reviewSession, AccountCaller> {
  return async ({ body, caller: { accountId, keyId, operatorName } }) => {
    const review = async (transaction: Transaction) => {
      const read = await readSession({ accountId, sessionId: body.verificationSessionId })
      if (read.value.outcome === null)
        throw new Problem('session_not_completed', 'The session is not completed yet.', { status: 409 })
      const { decision, note = null, ifReviewedAt = null } = body
      refuseUnseen(read.value, ifReviewedAt)
      const reviewed = { decision, note, reviewedAt: timeAfter(read.value, now()), by: operatorName ?? keyId }
      const about = { verificationSessionId: body.verificationSessionId, sessionCreated: read.value.created }
      const prepared = await events.prepare(accountId, { event: 'VerificationReviewed', ...about })
      transaction.write(...prepared.writes)
      sessions.save(transaction, read, { ...read.value, review: reviewed })
      return prepared
    }
    const prepared = await transact(store, review, busy)
    prepared.send()
    return {}
  }
}

/** @throws {Problem} 409 where the review is not the one that was seen */
function refuseUnseen({ review }: SessionRecord, ifReviewedAt: string | null): void {
  const [current, seen] = [momentOf(review?.reviewedAt ?? null), momentOf(ifReviewedAt)]
  if (current !== seen) throw new Problem('already_reviewed', 'Somebody reviewed the session meanwhile.')
}

function momentOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time)
}

/** A name of a review: no two of a session are of the same millisecond. */
function timeAfter({ review }: SessionRecord, now: number): string {
  const before = momentOf(review?.reviewedAt ?? null)
  return new Date(before === null ? now : Math.max(now, before + 1)).toISOString()
}
