import type { AccountCaller } from '#server/features/callers/caller.ts'
import { busy, type ReadSession } from '#server/features/sessions/access.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { Events } from '#server/features/webhooks/events.ts'
import type { Clock } from '#server/platform/store/store.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { reviewSession } from '#shared/contract/sessions/session-list.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

/**
 * Notes beside a result what a person decided; the result itself never changes. [Note: A review names what it saw] Of two who decide at once
 * the second one learns of the first, and replaces it only by its name.
 */
export function createReviewSession(
  readSession: ReadSession,
  sessions: Pick<SessionStore, 'replace'>,
  events: Pick<Events, 'prepare'>,
  now: Clock,
): Handler<typeof reviewSession, AccountCaller> {
  return ({ body, caller: { accountId, keyId, operatorName } }) =>
    retryOnConflict(async () => {
      const read = await readSession({ accountId, sessionId: body.verificationSessionId })
      if (read.value.outcome === null)
        throw new Problem('session_not_completed', 'The session is not completed yet.', { status: 409 })
      const { decision, note = null, ifReviewedAt = null } = body
      refuseUnseen(read.value, ifReviewedAt)
      const review = { decision, note, reviewedAt: timeAfter(read.value, now()), by: operatorName ?? keyId }
      const about = { verificationSessionId: body.verificationSessionId, sessionCreated: read.value.created }
      const notification = await events.prepare(accountId, { event: 'VerificationReviewed', ...about })
      const conditions = { writes: notification.writes, guards: [] }
      if (!(await sessions.replace(read, { ...read.value, review }, conditions))) return undefined
      notification.send()
      return {}
    }, busy)
}

/** @throws {Problem} 409 where what stands there is not what was seen */
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
