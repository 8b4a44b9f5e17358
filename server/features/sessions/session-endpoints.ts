import { createAcceptBatch } from './early-pictures/batch-arrival.ts'
import { createCancelSession } from './endpoints/cancel-session.ts'
import { createCompleteTestSession } from './endpoints/complete-test-session.ts'
import { createCreateSession } from './endpoints/create-session.ts'
import { createGetEvidence } from './endpoints/get-evidence.ts'
import { createGetSession } from './endpoints/get-session.ts'
import { createGetSessionResult } from './endpoints/get-session-result.ts'
import { createGetSessionTimeline } from './endpoints/get-session-timeline.ts'
import { createGetSessions } from './endpoints/get-sessions.ts'
import { createGetUsage } from './endpoints/get-usage.ts'
import { createHandoffs } from './endpoints/handoffs.ts'
import { createInitRedirectSession } from './endpoints/init-redirect-session.ts'
import { createPasskeyHandlers } from './endpoints/passkeys.ts'
import { createReadLink } from './endpoints/read-link.ts'
import { createReviewHandlers } from './endpoints/reviews.ts'
import { createSubmitPictures } from './endpoints/submit-pictures.ts'
import { createSubmitSession } from './endpoints/submit-session.ts'
import { createSubmitStep } from './endpoints/submit-step.ts'
import { createNoteViewing } from './evidence/evidence-viewing.ts'
import { createChangeHandoff } from './handoff/handoff.ts'
import { createSessionLists } from './listing/session-lists.ts'
import { createCheckLink } from './opening/link-check.ts'
import { createOpenLink } from './opening/link-opening.ts'
import { createPasskeyCeremonies } from './passkeys/ceremonies.ts'
import type { EndpointPorts, SessionFoundation } from './ports.ts'
import { createReviews } from './reviewing/reviews.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionServices } from './session-services.ts'
import { createStepAnswers } from './steps/step-answers.ts'

/** The handlers of all session endpoints. */
export type SessionEndpoints = ReturnType<typeof createSessionEndpoints>

export function createSessionEndpoints(
  ports: EndpointPorts,
  known: SessionFoundation,
  records: SessionRecords,
  services: SessionServices,
) {
  return {
    ...createOpenings(ports, known, records, services),
    ...createSubmissions(ports, known, records, services),
    ...createVisits(ports, known, records, services),
    ...createOperations(ports, known, records, services),
  }
}

/** Begins sessions. */
function createOpenings(
  { store, pack, passkeyRoots, origin, now }: EndpointPorts,
  { accounts, analyseImage, nonces, recognition, signatures, verifications }: SessionFoundation,
  { sessions, limits }: SessionRecords,
  { startSession, early }: SessionServices,
) {
  const opening = { ...limits, accounts, verifications, startSession }
  const checkLink = createCheckLink({ ...opening, signatures })
  const earlyPictures = early.pictures
  const openLink = createOpenLink({ store, earlyPictures, nonces, sessions, startSession, now })
  const { access } = recognition
  return {
    createSession: createCreateSession({ ...opening, pack, passkeyRoots, access, analyseImage, origin }),
    initRedirectSession: createInitRedirectSession(checkLink, openLink),
    readLink: createReadLink({ checkLink, startSession }),
  }
}

/** Submits to sessions. */
function createSubmissions(
  { store, challengeActions: allowedActions, decodeBase64, now }: EndpointPorts,
  { accounts, events }: SessionFoundation,
  { sessions, intakes }: SessionRecords,
  { submit, analyseSubmission, evidence, early, mutex, readSession }: SessionServices,
) {
  const earlyPictures = early.pictures
  const stepAnswers = createStepAnswers({
    store,
    sessions,
    events,
    analyseSubmission,
    earlyPictures,
    evidence,
    allowedActions,
    decodeBase64,
    now,
  })
  const acceptBatch = createAcceptBatch({
    ...early,
    intakes,
    readSession,
    store,
    sessions,
    events,
    decodeBase64,
  })
  return {
    submitStep: createSubmitStep({ readSession, stepAnswers, mutex, now }),
    submitPictures: createSubmitPictures(acceptBatch, now),
    submitSession: createSubmitSession(readSession, submit, earlyPictures, decodeBase64),
    completeTestSession: createCompleteTestSession({ accounts, readSession, submit }),
  }
}

/** Reads sessions, and moves them between devices. */
function createVisits(
  ports: EndpointPorts,
  { accounts, audit, events, tokens }: SessionFoundation,
  { sessions, passkeys }: SessionRecords,
  { early, readSession }: SessionServices,
) {
  const { store, region, origin, now } = ports
  const earlyPictures = early.pictures
  const ceremonies = createPasskeyCeremonies({ ...ports, passkeys, sessions, readSession, events, audit })
  const changeHandoff = createChangeHandoff({ store, sessions, earlyPictures, readSession, now })
  return {
    getSession: createGetSession(readSession, sessions, region, now),
    getSessionResult: createGetSessionResult(readSession, accounts, sessions),
    ...createPasskeyHandlers(ceremonies),
    ...createHandoffs({ store, changeHandoff, tokens, audit, region, origin, now }),
  }
}

/** The actions that operators take on sessions. */
function createOperations(
  { store, now }: EndpointPorts,
  { accounts, deliveryStore: deliveries, events, verifications }: SessionFoundation,
  { sessions, sessionRows: rows, sessionHistory: history, usageCounts, evidenceRecords }: SessionRecords,
  { readSession, expire, evidence }: SessionServices,
) {
  const lists = createSessionLists(rows, history, now)
  const noteViewing = createNoteViewing(store, evidenceRecords)
  const reviews = createReviews({
    store,
    sessions,
    readSession,
    events,
    deliveries,
    evidenceRecords,
    evidence,
    now,
  })
  return {
    getSessions: createGetSessions({ accounts, lists, rows, history, verifications }),
    getSessionTimeline: createGetSessionTimeline(readSession, evidenceRecords),
    getEvidence: createGetEvidence({ readSession, evidence, records: evidenceRecords, noteViewing }),
    cancelSession: createCancelSession(readSession, expire),
    ...createReviewHandlers(reviews),
    getUsage: createGetUsage(usageCounts),
  }
}
