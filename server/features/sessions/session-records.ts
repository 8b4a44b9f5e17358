import type { Accounts } from '#server/features/accounts/accounts.ts'
import { type AddressShares, createAddressShares } from './access/address-shares.ts'
import { type Attempts, createAttempts } from './access/attempts.ts'
import { createSuspicions, type Suspicions } from './access/suspicions.ts'
import { createIntakes, type Intakes } from './early-pictures/intake.ts'
import { createFilmMemory, type FilmMemory } from './pictures/film-memory.ts'
import { createPictureMemory, type PictureMemory } from './pictures/picture-memory.ts'
import type { RecordPorts } from './ports.ts'
import { createEvidenceRecords, type EvidenceRecords } from './records/evidence-records.ts'
import { createPasskeyStore, type PasskeyStore } from './records/passkey-store.ts'
import { createPersonSessions, type PersonSessions } from './records/person-sessions.ts'
import { createReviewCounts, type ReviewCounts } from './records/review-counts.ts'
import { createSessionFaces, type SessionFaces } from './records/session-faces.ts'
import { createSessionHistory, type SessionHistory } from './records/session-history.ts'
import { createSessionRows, type SessionRows } from './records/session-rows.ts'
import { createSessionStore, type SessionStore } from './records/session-store.ts'
import { createUsageCounts, type UsageCounts } from './records/usage-counts.ts'
import { createVisitStore, type VisitStore } from './records/visit-store.ts'

/** Storage for all the data that sessions leave behind. */
export interface SessionRecords {
  readonly sessions: SessionStore
  readonly sessionRows: SessionRows
  readonly sessionHistory: SessionHistory
  readonly usageCounts: UsageCounts
  readonly personSessions: PersonSessions
  readonly passkeys: PasskeyStore
  readonly evidenceRecords: EvidenceRecords
  readonly intakes: Intakes
  readonly reviewCounts: ReviewCounts
  readonly memories: VisitMemories
  readonly limits: VisitLimits
}

/** Facts that later visits are compared with. */
export interface VisitMemories {
  readonly visits: VisitStore
  readonly sessionFaces: SessionFaces
  readonly pictureMemory: PictureMemory
  readonly filmMemory: FilmMemory
}

/** Limits on opening further sessions, for an address, a link and a person. */
export interface VisitLimits {
  readonly attempts: Attempts
  readonly suspicions: Suspicions
  readonly addressShares: AddressShares
}

export function createSessionRecords(ports: RecordPorts, accounts: Accounts): SessionRecords {
  const { store, keyRing, attemptLimit, forgeryLimit, openingsAMinute, now } = ports
  const sessionRows = createSessionRows(store, keyRing)
  const usageCounts = createUsageCounts(store)
  const sessionHistory = createSessionHistory(store, keyRing, now)
  const evidenceRecords = createEvidenceRecords(store, keyRing, now)
  return {
    sessions: createSessionStore(
      store,
      keyRing,
      now,
      sessionRows,
      usageCounts,
      sessionHistory,
      evidenceRecords,
    ),
    sessionRows,
    sessionHistory,
    usageCounts,
    personSessions: createPersonSessions(store, accounts),
    passkeys: createPasskeyStore({ store, keyRing, accounts }),
    evidenceRecords,
    intakes: createIntakes(store, keyRing, now),
    reviewCounts: createReviewCounts(store, keyRing),
    memories: {
      visits: createVisitStore(store, keyRing),
      sessionFaces: createSessionFaces(store, keyRing),
      pictureMemory: createPictureMemory(store, keyRing, now),
      filmMemory: createFilmMemory(store, keyRing, now),
    },
    limits: {
      attempts: createAttempts(store, attemptLimit, now),
      suspicions: createSuspicions(store, forgeryLimit, now),
      addressShares: createAddressShares(store, keyRing, now, openingsAMinute),
    },
  }
}
