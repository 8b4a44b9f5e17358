import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { resetPasskeys } from '#shared/contract/account/person.ts'
import type { Handler } from '#shared/endpoint.ts'
import { noSession } from './access/refusals.ts'
import type { ReadSession } from './access/session-reader.ts'
import { createResetPasskeys } from './endpoints/reset-passkeys.ts'
import type { Evidence } from './evidence/evidence.ts'
import { expireOverdue } from './judging/expiry.ts'
import type { Submit } from './judging/submit.ts'
import { createSessionLists } from './listing/session-lists.ts'
import { createShortenHistory } from './listing/shorten-history.ts'
import { createWaitingReviews, type WaitingReviews } from './listing/waiting-reviews.ts'
import { createOpenVisit, type OpenVisit } from './opening/open-visit.ts'
import { createPersonVisits, type PersonVisits } from './persons/person-visits.ts'
import type { SessionFoundation, SessionPorts } from './ports.ts'
import type { PasskeyStore } from './records/passkey-store.ts'
import type { SessionStore } from './records/session-store.ts'
import { createAddedFaces } from './reviewing/denied-faces.ts'
import { createSessionEndpoints, type SessionEndpoints } from './session-endpoints.ts'
import { createSessionRecords } from './session-records.ts'
import { createSessionServices } from './session-services.ts'

export { capturePlanAhead } from './access/appearance.ts'
export { type Attempts, createAttempts } from './access/attempts.ts'
export type { Judgement } from './access/judgement.ts'
export type { ReadSession, SessionRead } from './access/session-reader.ts'
export { rulesOf } from './access/session-rules.ts'
export { prepareStart } from './access/session-start.ts'
export type { Submit, Submitter } from './judging/submit.ts'
export type { WaitingReviews } from './listing/waiting-reviews.ts'
export type { OpenVisit } from './opening/open-visit.ts'
export { newRecord } from './opening/start.ts'
export type { PersonVisits } from './persons/person-visits.ts'
export { retentionInMilliseconds, type SessionRecord, wholeResult } from './records/session-record.ts'
export type { SessionStore } from './records/session-store.ts'
export { testSubmission } from './testing/test-session.ts'

/** Visits on the server, from opening to result, along with their stored data. */
export interface Sessions {
  readonly sessions: SessionEndpoints
  readonly sessionStore: SessionStore
  readonly passkeys: PasskeyStore
  readonly resetPasskeys: Handler<typeof resetPasskeys, AccountCaller>
  /** Decides a session, whatever the source of its pictures. */
  readonly submit: Submit
  /** Opens sessions for people directed here by another feature. */
  readonly openVisit: OpenVisit
  readonly readSession: ReadSession
  /** A person's data, for export and erasure. */
  readonly personVisits: PersonVisits
  readonly waitingReviews: WaitingReviews
  /** The number of the account's last session change; 0 before the first. */
  readonly lastChange: (accountId: string) => Promise<number>
  /** @throws {Problem} 404 if the session does not exist */
  readonly requireSession: (accountId: string, sessionId: string) => Promise<void>
  readonly upkeep: SessionUpkeep
}

/** The work that the server repeats while it runs. */
export interface SessionUpkeep {
  /** Removes faces whose time among those that must not pass is over. Called in every sweep. */
  readonly expireDenied: () => Promise<void>
  /** Ends sessions that are past their submission deadline. */
  readonly expireOverdue: () => Promise<void>
  /** Erases rows that are no longer listed because their verification reduced its days, and returns how many. */
  readonly shortenHistory: () => Promise<number>
  /** Applies the picture changes that other processes made. Called in every sweep. */
  readonly catchUpPictures: () => Promise<void>
  /** Removes expired pictures in every sweep, and waits for pictures that are still being stored. */
  readonly evidence: Pick<Evidence, 'sweep' | 'settle' | 'stop'>
  /** Resolves when all early pictures are analysed. A process that ends before would lose them. */
  readonly finishEarly: () => Promise<void>
}

export function createSessions(ports: SessionPorts, known: SessionFoundation): Sessions {
  const { store, keyRing, now } = ports.records
  const records = createSessionRecords(ports.records, known.accounts)
  const services = createSessionServices(ports.services, known, records)
  const { sessions, passkeys, sessionRows, sessionHistory: history, memories, limits } = records
  const { submit, startSession, readSession, expire, evidence } = services
  const { verifications, deliveryStore } = known
  const addedFaces = createAddedFaces(store, keyRing, known.recognition.access, now)
  const personStores = { ...records, ...memories, ...limits, evidence, addedFaces }
  const lists = createSessionLists(sessionRows, history, now)
  return {
    sessions: createSessionEndpoints(ports.endpoints, known, records, { ...services, lists, addedFaces }),
    openVisit: createOpenVisit({ ...limits, startSession }),
    waitingReviews: createWaitingReviews(lists),
    readSession,
    sessionStore: sessions,
    passkeys,
    resetPasskeys: createResetPasskeys(passkeys),
    submit,
    personVisits: createPersonVisits(store, personStores, deliveryStore, now),
    lastChange: sessionRows.lastChange,
    async requireSession(accountId, sessionId) {
      if (!(await sessions.exists(accountId, sessionId))) throw noSession()
    },
    upkeep: {
      expireDenied: addedFaces.expire,
      expireOverdue: () => expireOverdue(sessions, expire, now),
      shortenHistory: createShortenHistory({ store, history, verifications, now }),
      catchUpPictures: memories.pictureMemory.catchUp,
      evidence,
      finishEarly: services.early.analysis.settle,
    },
  }
}
