import type { Clock } from '#server/store/store.ts'
import type { Completion } from './completion.ts'
import { isOverdue } from './record.ts'
import type { SessionStore } from './session-store.ts'

/** Ends every session that should have been submitted by now: they fail with `sessionExpired`, webhook included. */
export async function expireOverdue(
  sessions: SessionStore,
  completion: Completion,
  now: Clock,
): Promise<void> {
  for await (const { accountId, sessionId } of sessions.overdue()) {
    const read = await sessions.read(accountId, sessionId)
    if (read !== undefined && isOverdue(read.value, now())) await completion.expire(read)
  }
}
