import type { Administration } from '#server/app/administration.ts'
import { createCaptureStore } from '#server/features/kiosks/capture-store.ts'
import { createKioskReports } from '#server/features/kiosks/kiosk-reports.ts'
import { createNonces } from '#server/features/links/nonces.ts'
import { createSignatures } from '#server/features/links/signatures.ts'
import { createExportPerson } from '#server/features/privacy/person-export.ts'
import type { CollectionAccess } from '#server/features/recognition/collection-access.ts'
import { createReadSession } from '#server/features/sessions/access.ts'
import { createCommitOutcome, createExpire } from '#server/features/sessions/judging/commit-outcome.ts'
import { createAttempts } from '#server/features/sessions/opening/attempts.ts'
import { createSuspicions } from '#server/features/sessions/opening/suspicions.ts'
import { createOperators } from '#server/features/sessions/operators.ts'
import { createPrepareEnd } from '#server/features/sessions/results/end-events.ts'
import { createVerificationStore } from '#server/features/verifications/verification-store.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'

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
  const commitOutcome = createCommitOutcome({
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
  const expire = createExpire(store, commitOutcome)
  const readSession = createReadSession({ sessions, expire, verifications, now })
  return {
    ...createOperators({ ...administration, store, verifications, readSession, expire, sessions, now }),
    exportPerson: createExportPerson({ ...administration, attempts, suspicions, access, now }),
  }
}
