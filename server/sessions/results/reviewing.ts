import type { AccountCaller } from '#server/accounts/caller.ts'
import { busy, type ReadSession } from '#server/sessions/access.ts'
import type { SessionStore } from '#server/sessions/session-store.ts'
import { contended } from '#server/store/contended.ts'
import type { Clock } from '#server/store/store.ts'
import type { Events } from '#server/webhook/events.ts'
import type { reviewSession } from '#shared/contract/sessions/session-list.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

/** Notes beside a result what a person decided; the result itself never changes. */
export function createReviewSession(
  readSession: ReadSession,
  sessions: Pick<SessionStore, 'replace'>,
  events: Pick<Events, 'prepare'>,
  now: Clock,
): Handler<typeof reviewSession, AccountCaller> {
  return ({ body, caller: { accountId, keyId, operatorName } }) =>
    contended(async () => {
      const read = await readSession({ accountId, sessionId: body.verificationSessionId })
      if (read.value.outcome === null)
        throw new Problem('session_not_completed', 'The session is not completed yet.', { status: 409 })
      const { decision, note = null } = body
      const review = { decision, note, reviewedAt: new Date(now()).toISOString(), by: operatorName ?? keyId }
      const about = { verificationSessionId: body.verificationSessionId, sessionCreated: read.value.created }
      const told = await events.prepare(accountId, { event: 'VerificationReviewed', ...about })
      const conditions = { writes: told.writes, guards: [] }
      if (!(await sessions.replace(read, { ...read.value, review }, conditions))) return undefined
      told.send()
      return {}
    }, busy)
}
