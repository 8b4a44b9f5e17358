import type { SessionCaller } from '#server/features/callers/callers.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { GuardedRecord } from '#server/platform/store/tables.ts'
import { Problem } from '#shared/problem.ts'
import { refuseEndedToken } from './handoff/holding.ts'
import type { Expire } from './judging/commit-outcome.ts'
import { isOverdue, isUnjudged, type SessionRecord } from './record.ts'
import type { SessionStore } from './session-store.ts'

export type SessionRead = GuardedRecord<SessionRecord>

/** The caller that reads a session: its account, or a device with a token for it. */
interface SessionReader {
  readonly accountId: string
  readonly sessionId: string
  readonly device?: number
}

/** Reads the caller's session, ending it first if it is overdue. @throws {Problem} 401 if the caller's token has ended, 404 */
export type ReadSession = (caller: SessionReader) => Promise<SessionRead>

interface Dependencies {
  sessions: SessionStore
  expire: Expire
  verifications: Pick<Verifications, 'find'>
  now: Clock
}

export function createReadSession(services: Dependencies): ReadSession {
  const { sessions, expire, verifications, now } = services

  /** [Note: A session ends with its verification] Otherwise it could enrol a face for a verification that has been deleted. */
  async function isOrphaned({ accountId, verificationId, outcome }: SessionRecord): Promise<boolean> {
    if (outcome !== null || verificationId === null) return false
    return (await verifications.find(accountId, verificationId)) === undefined
  }

  return async ({ accountId, sessionId, device }) => {
    const read = await sessions.read(accountId, sessionId)
    if (read === undefined) throw noSession()
    if (device !== undefined) refuseEndedToken(read.value, device)
    if (!isOverdue(read.value, now()) && !(await isOrphaned(read.value))) return read
    await expire(read)
    return (await sessions.read(accountId, sessionId)) ?? read
  }
}

export function noSession(): Problem {
  return new Problem('not_found', 'The session does not exist.')
}

export function keyOf({ accountId, sessionId }: SessionCaller): string {
  return `${accountId}/${sessionId}`
}

export function sessionExpired(): Problem {
  return new Problem('session_expired', 'The session was not submitted in time.')
}

/** @throws {Problem} if the session is over or overdue */
export function refuseEnded(record: SessionRecord, now: number): void {
  const { state } = record
  if (state === 'Expired') throw sessionExpired()
  if (state === 'Completed' || (state === 'Submitted' && !isUnjudged(record, now)))
    throw new Problem('session_closed', 'The session has already ended.')
}

export function busy(): Problem {
  return new Problem('overloaded', 'The session is being changed by another request. Try again.', {
    retryAfterInSeconds: 1,
  })
}
