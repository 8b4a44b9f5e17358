import type { Expire } from '#server/features/sessions/access/session-reader.ts'
import { isOverdue } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Clock } from '#server/platform/store/store.ts'

/**
 * Ends every session that is past its submission deadline. Each fails with `sessionExpired`, including the webhook. If one
 * fails to end, the others are unaffected.
 * @throws the first error, after trying all of them
 */
export async function expireOverdue(sessions: SessionStore, expire: Expire, now: Clock): Promise<void> {
  const faults: unknown[] = []
  for await (const { accountId, sessionId } of sessions.overdue()) {
    try {
      const read = await sessions.read(accountId, sessionId)
      if (read !== undefined && isOverdue(read.value, now())) await expire(read)
    } catch (fault) {
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw faults[0]
}
