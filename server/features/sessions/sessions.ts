import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { resetPasskeys } from '#shared/contract/account/person.ts'
import type { Handler } from '#shared/endpoint.ts'
import { createReadSession, noSession, type ReadSession } from './access.ts'
import { type AddedFaces, createAddedFaces } from './denied/denied-faces.ts'
import type { Evidence } from './evidence/evidence.ts'
import { createSubmitPictures } from './handed-in/submit-pictures.ts'
import { createHandoffs } from './handoff/handoff.ts'
import { createJudging, type Judging } from './judging/judging.ts'
import { createSubmitSession } from './judging/page-submission.ts'
import type { Submit } from './judging/submit.ts'
import { createShortenHistory } from './listing/history/shorten-history.ts'
import { createSessionLists, type SessionLists } from './listing/session-lists.ts'
import { createWaitingReviews, type WaitingReviews } from './listing/waiting-reviews.ts'
import { createAskedLink } from './opening/asked-link.ts'
import { createCreateSession } from './opening/creation.ts'
import { createOpenVisit, type OpenVisit } from './opening/open-visit.ts'
import { createInitRedirectSession, createReadLink } from './opening/opening.ts'
import { createStartSession, type StartSession } from './opening/start.ts'
import { createOperators } from './operators.ts'
import { createResetPasskeys } from './passkeys/passkey-reset.ts'
import type { PasskeyStore } from './passkeys/passkey-store.ts'
import { createPasskeys } from './passkeys/passkeys.ts'
import { createPersonVisits, type PersonVisits } from './persons/person-visits.ts'
import type { SessionFoundation, SessionPorts } from './ports.ts'
import { expireOverdue } from './results/expiry.ts'
import { createGetSession, createGetSessionResult } from './results/reading.ts'
import { createSessionRecords, type SessionRecords } from './session-records.ts'
import type { SessionStore } from './session-store.ts'
import { createSubmitStep } from './steps/step-submission.ts'
import { createCompleteTestSession } from './testing/test-completion.ts'

export type { ReadSession, SessionRead } from './access.ts'
export { rulesOf } from './judging/rules.ts'
export { prepareStart } from './judging/session-start.ts'
export type { Submission, Submit } from './judging/submit.ts'
export type { WaitingReviews } from './listing/waiting-reviews.ts'
export { capturePlanAhead } from './opening/appearance.ts'
export { type Attempts, createAttempts } from './opening/attempts.ts'
export type { OpenVisit } from './opening/open-visit.ts'
export { newRecord } from './opening/start.ts'
export type { PersonVisits } from './persons/person-visits.ts'
export { retentionInMilliseconds, type SessionRecord, wholeResult } from './record.ts'
export type { SessionStore } from './session-store.ts'

/** Visits on the server, from opening to result, along with their stored data. */
export interface Sessions {
  readonly sessions: ReturnType<typeof createHandlers>
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
}

export function createSessions(ports: SessionPorts, known: SessionFoundation): Sessions {
  const records = createSessionRecords(ports, known.accounts)
  const judging = createJudging(ports, known, records)
  const { sessions, passkeys, sessionRows, sessionHistory, pictureMemory } = records
  const addedFaces = createAddedFaces(ports.store, ports.keyRing, known.recognition.access, ports.now)
  const lists = createSessionLists(sessionRows, sessionHistory, ports.now)
  const { verifications, tokens } = known
  const readSession = createReadSession({ ...judging, sessions, verifications, now: ports.now })
  const startSession = createStartSession({
    ...ports,
    ...records,
    ...judging,
    tokens,
    access: known.recognition.access,
  })
  return {
    sessions: createHandlers(
      ports,
      known,
      records,
      { lists, addedFaces },
      { ...judging, readSession, startSession },
    ),
    waitingReviews: createWaitingReviews(lists),
    openVisit: createOpenVisit({ ...records, startSession }),
    readSession,
    sessionStore: sessions,
    passkeys,
    resetPasskeys: createResetPasskeys(passkeys),
    submit: judging.submit,
    personVisits: createPersonVisits(
      ports.store,
      { ...records, evidence: judging.evidence, addedFaces },
      known.deliveryStore,
      ports.now,
    ),
    evidence: judging.evidence,
    lastChange: sessionRows.lastChange,
    async requireSession(accountId, sessionId) {
      if (!(await sessions.exists(accountId, sessionId))) throw noSession()
    },
    expireDenied: addedFaces.expire,
    expireOverdue: () => expireOverdue(sessions, judging.expire, ports.now),
    shortenHistory: createShortenHistory({
      store: ports.store,
      history: sessionHistory,
      verifications,
      now: ports.now,
    }),
    catchUpPictures: pictureMemory.catchUp,
  }
}

/** The features that begin sessions and find them again. */
export interface Beginnings {
  readonly readSession: ReadSession
  readonly startSession: StartSession
}

function createHandlers(
  ports: SessionPorts,
  known: SessionFoundation,
  records: SessionRecords,
  made: { readonly lists: SessionLists; readonly addedFaces: AddedFaces },
  judged: Judging & Beginnings,
) {
  const { submit, expire, evidence, handedIn, readSession, startSession } = judged
  const { store, pack, region, origin, now } = ports
  const { accounts, audit, events, tokens, nonces, signatures, verifications } = known
  const { access } = known.recognition
  const { sessions, passkeys, attempts, suspicions } = records
  const opening = { accounts, verifications, attempts, suspicions, startSession }
  const askedLink = createAskedLink({ ...opening, signatures })
  const seen = { ...records, ...made, access, accounts, verifications, readSession, expire, evidence, store }
  return {
    createSession: createCreateSession({
      ...opening,
      pack,
      passkeyRoots: ports.passkeyRoots,
      access,
      analyseImage: known.analyseImage,
      origin,
    }),
    initRedirectSession: createInitRedirectSession({
      askedLink,
      store,
      handedIn: handedIn.pictures,
      nonces,
      sessions,
      startSession,
      now,
    }),
    readLink: createReadLink({ askedLink, startSession }),
    getSession: createGetSession(readSession, sessions, region, now),
    ...createSubmissions(ports, known, records, judged),
    completeTestSession: createCompleteTestSession({ accounts, readSession, submit }),
    getSessionResult: createGetSessionResult(readSession, accounts, sessions, access),
    ...createOperators({ ...seen, events, deliveries: known.deliveryStore, now }),
    ...createPasskeys({ ...ports, passkeys, sessions, readSession, events, audit }),
    ...createHandoffs({
      store,
      sessions,
      handedIn: handedIn.pictures,
      readSession,
      tokens,
      audit,
      region,
      origin,
      now,
    }),
  }
}

/** The API calls that submit pictures. */
function createSubmissions(
  ports: SessionPorts,
  { events }: SessionFoundation,
  { sessions }: SessionRecords,
  { submit, analyseSubmission, evidence, handedIn, mutex, readSession }: Judging & Beginnings,
) {
  const { store, challengeActions: allowedActions, decodeBase64, now } = ports
  return {
    submitStep: createSubmitStep({
      store,
      sessions,
      events,
      analyseSubmission,
      handedIn: handedIn.pictures,
      evidence,
      mutex,
      readSession,
      allowedActions,
      decodeBase64,
      now,
    }),
    submitPictures: createSubmitPictures({
      ...handedIn,
      readSession,
      store,
      sessions,
      events,
      decodeBase64,
      now,
    }),
    submitSession: createSubmitSession(readSession, submit, handedIn.pictures, decodeBase64),
  }
}
