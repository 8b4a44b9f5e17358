import type { SessionStore } from '#server/sessions/session-store.ts'
import type { Audit } from './audit.ts'

/** Sessions whose end is recorded, whatever ended them. Their verdict is not: it goes with the session. */
export function auditedSessions(sessions: SessionStore, audit: Audit): SessionStore {
  return {
    ...sessions,
    async complete(before, record, writes, guards) {
      const completed = await sessions.complete(before, record, writes, guards)
      const { accountId, sessionId: verificationSessionId, verificationId, state, kiosk } = record
      const hasExpired = state === 'Expired'
      if (completed) {
        const operation = hasExpired ? 'expireSession' : 'completeSession'
        const actor = hasExpired ? 'server' : kiosk === undefined ? 'session' : 'kiosk'
        const ids = { verificationId, verificationSessionId, kioskId: kiosk?.kioskId }
        await audit.note(accountId, operation, actor, ids)
      }
      return completed
    },
  }
}
