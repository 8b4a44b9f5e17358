import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { createSessionStore } from '#server/features/sessions/records/session-store.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Host } from './host.ts'
import type { Opened } from './visit.ts'

/** A session in the form in which a host's store keeps it. */
export async function recordOf(host: Host, opened: Opened): Promise<SessionRecord | undefined> {
  const sessions = createSessionStore(host.store, createKeyRing(Buffer.alloc(32, 7), 'EU'), host.now)
  return (await sessions.read(host.accountId, opened.verificationSessionId))?.value
}
