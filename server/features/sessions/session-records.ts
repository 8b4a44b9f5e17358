import type { Accounts } from '#server/features/accounts/accounts.ts'
import { createSessionFaces, type SessionFaces } from './earlier/session-faces.ts'
import { createVisitStore, type VisitStore } from './earlier/visit-store.ts'
import { createEvidenceRecords, type EvidenceRecords } from './evidence/evidence-records.ts'
import { createIntakes, type Intakes } from './handed-in/intake.ts'
import { createSessionHistory, type SessionHistory } from './listing/history/session-history.ts'
import { createPersonSessions, type PersonSessions } from './listing/person-sessions.ts'
import { createSessionRows, type SessionRows } from './listing/session-rows.ts'
import { type Attempts, createAttempts } from './opening/attempts.ts'
import { createLeftBehind, type LeftBehind } from './opening/left-behind.ts'
import { createSuspicions, type Suspicions } from './opening/suspicions.ts'
import { createPasskeyStore, type PasskeyStore } from './passkeys/passkey-store.ts'
import { createFilmMemory, type FilmMemory } from './pictures/film-memory.ts'
import { createPictureMemory, type PictureMemory } from './pictures/picture-memory.ts'
import type { SessionPorts } from './ports.ts'
import { createReviewCounts, type ReviewCounts } from './reviewing/review-counts.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'
import { createUsageCounts, type UsageCounts } from './usage/usage-counts.ts'

/** Storage for all the data that sessions leave behind. */
export interface SessionRecords {
  readonly sessions: SessionStore
  readonly sessionRows: SessionRows
  readonly sessionHistory: SessionHistory
  readonly usageCounts: UsageCounts
  readonly personSessions: PersonSessions
  readonly passkeys: PasskeyStore
  readonly visits: VisitStore
  readonly sessionFaces: SessionFaces
  readonly reviewCounts: ReviewCounts
  readonly pictureMemory: PictureMemory
  readonly filmMemory: FilmMemory
  readonly evidenceRecords: EvidenceRecords
  readonly intakes: Intakes
  readonly attempts: Attempts
  readonly suspicions: Suspicions
  readonly leftBehind: LeftBehind
}

export function createSessionRecords(ports: SessionPorts, accounts: Accounts): SessionRecords {
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
    evidenceRecords,
    intakes: createIntakes(store, keyRing, now),
    sessionRows,
    sessionHistory,
    usageCounts,
    personSessions: createPersonSessions(store, accounts),
    passkeys: createPasskeyStore({ store, keyRing, accounts }),
    visits: createVisitStore(store, keyRing),
    sessionFaces: createSessionFaces(store, keyRing),
    reviewCounts: createReviewCounts(store),
    pictureMemory: createPictureMemory(store, keyRing, now),
    filmMemory: createFilmMemory(store, keyRing, now),
    attempts: createAttempts(store, attemptLimit, now),
    suspicions: createSuspicions(store, forgeryLimit, now),
    leftBehind: createLeftBehind(store, keyRing, now, openingsAMinute),
  }
}
