import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import { type Events, type PreparedEvent, together } from '#server/features/webhooks/webhooks.ts'
import type { Guard } from '#server/platform/store/store.ts'
import type { Transaction } from '#server/platform/store/transaction.ts'
import type { SessionRead } from './session-reader.ts'

/** Prepares the event that a session has begun, for the commit that accepts its first pictures. */
export function prepareStart(
  events: Pick<Events, 'prepare'>,
  { accountId, sessionId, created }: SessionRecord,
): Promise<PreparedEvent> {
  const of = { verificationSessionId: sessionId, sessionCreated: created }
  return events.prepare(accountId, { event: 'VerificationStarted', ...of })
}

interface Services {
  readonly sessions: Pick<SessionStore, 'save'>
  readonly events: Pick<Events, 'prepare'>
}

/** Saves the session with pictures or a step. If they are its first, `send` announces the session's start after the commit. */
export async function savePictures(
  { sessions, events }: Services,
  transaction: Transaction,
  {
    before,
    record,
    hasPictures = true,
  }: { before: SessionRead; record: SessionRecord; hasPictures?: boolean },
): Promise<{ readonly guard: Guard; send(): void }> {
  const isFirst = hasPictures && before.value.state === 'Created'
  const { writes, send } = isFirst ? await prepareStart(events, record) : together([])
  transaction.write(...writes)
  return { guard: sessions.save(transaction, before, record), send }
}
