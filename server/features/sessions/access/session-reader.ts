import { isOverdue, type SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { GuardedRecord } from '#server/platform/store/tables.ts'
import { refuseEndedToken } from './holder.ts'
import { noSession } from './refusals.ts'

export type SessionRead = GuardedRecord<SessionRecord>

/** The caller that reads a session: its account, or a device with a token for it. */
interface SessionReader {
  readonly accountId: string
  readonly sessionId: string
  readonly device?: number
}

/** Reads the caller's session, ending it first if it is overdue. @throws {Problem} 401 if the caller's token has ended, 404 */
export type ReadSession = (caller: SessionReader) => Promise<SessionRead>

/** Ends a session that has expired or is treated as expired. No-op if another request has changed it since it was read. */
export type Expire = (session: SessionRead) => Promise<void>

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

/** The key under which a session's requests take turns. */
export function keyOf({ accountId, sessionId }: Pick<SessionReader, 'accountId' | 'sessionId'>): string {
  return `${accountId}/${sessionId}`
}
