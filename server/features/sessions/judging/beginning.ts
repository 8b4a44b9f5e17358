import type { SessionRead } from '#server/features/sessions/access.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import { type Events, type PreparedEvent, together } from '#server/features/webhooks/events.ts'

/** What tells that a session was begun, for the commit that takes its first pictures. */
export function prepareStart(
  events: Pick<Events, 'prepare'>,
  { accountId, sessionId, created }: SessionRecord,
): Promise<PreparedEvent> {
  const of = { verificationSessionId: sessionId, sessionCreated: created }
  return events.prepare(accountId, { event: 'VerificationStarted', ...of })
}

/**
 * Replaces the session as it is with pictures or a step; where they are its first, its beginning is told. False where
 * somebody else changed it since it was read.
 */
export async function replaceBegun(
  services: { readonly sessions: Pick<SessionStore, 'replace'>; readonly events: Pick<Events, 'prepare'> },
  read: SessionRead,
  record: SessionRecord,
  hasPictures = true,
): Promise<boolean> {
  const isFirst = hasPictures && read.value.state === 'Created'
  const notification = isFirst ? await prepareStart(services.events, record) : together([])
  if (!(await services.sessions.replace(read, record, { writes: notification.writes, guards: [] })))
    return false
  notification.send()
  return true
}
