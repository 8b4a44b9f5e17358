import { createExportPerson } from '#server/accounts/person-export.ts'
import type { Administration } from '#server/administration.ts'
import { createNonces } from '#server/configuration/nonces.ts'
import { createSignatures } from '#server/configuration/signatures.ts'
import { createVerificationStore } from '#server/configuration/verification-store.ts'
import { createCaptureStore } from '#server/kiosk/capture-store.ts'
import { createKioskReports } from '#server/kiosk/kiosk-reports.ts'
import type { CollectionAccess } from '#server/recognition/collection-access.ts'
import { createReadSession } from '#server/sessions/access.ts'
import { createExpire } from '#server/sessions/judging/completion.ts'
import { createEndSession } from '#server/sessions/judging/ending.ts'
import { createAttempts } from '#server/sessions/opening/attempts.ts'
import { createSuspicions } from '#server/sessions/opening/suspicions.ts'
import { createOperators } from '#server/sessions/operators.ts'
import type { Clock, Store } from '#server/store/store.ts'
import { createPrepareEnd } from '#server/webhook/end-events.ts'

/** What is done with sessions afterwards, by the very handlers of the server. */
export type SessionDesk = ReturnType<typeof createSessionDesk>

/** Wires them beside a server. Nothing is judged here: no network is loaded, and no passkey offered. */
export function createSessionDesk(
  store: Store,
  administration: Administration,
  access: CollectionAccess,
  now: Clock,
) {
  const { accounts, audit, deliveries, events, sessionStore: sessions } = administration
  const attempts = createAttempts(store, undefined, now)
  const suspicions = createSuspicions(store, undefined, now)
  const stored = createVerificationStore(store)
  const verifications = {
    find: async (accountId: string, id: string) => (await stored.read(accountId, id))?.value,
  }
  const endSession = createEndSession({
    accounts,
    attempts,
    suspicions,
    audit,
    captures: createCaptureStore(store, createKioskReports(store, now)),
    prepareEnd: createPrepareEnd(events, deliveries, now),
    passkeyOffers: { end: async (session) => ({ session, writes: [] }) },
    sessions,
    signatures: createSignatures({ accounts, nonces: createNonces(store), now }),
    tally: { sessionEnded: () => {} },
    now,
  })
  const completion = { expire: createExpire(endSession) }
  const readSession = createReadSession({ sessions, completion, verifications, now })
  return {
    ...createOperators({ ...administration, verifications, readSession, completion, sessions, now }),
    exportPerson: createExportPerson({ ...administration, attempts, suspicions, access, now }),
  }
}
