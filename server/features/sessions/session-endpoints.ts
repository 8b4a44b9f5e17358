import { createAcceptBatch } from './early-pictures/batch-arrival.ts'
import { createCancelSession } from './endpoints/cancel-session.ts'
import { createCompleteTestSession } from './endpoints/complete-test-session.ts'
import { createCreateSession } from './endpoints/create-session.ts'
import { createDenyFace } from './endpoints/deny-face.ts'
import { createGetEvidence } from './endpoints/get-evidence.ts'
import { createGetSession } from './endpoints/get-session.ts'
import { createGetSessionResult } from './endpoints/get-session-result.ts'
import { createGetSessionTimeline } from './endpoints/get-session-timeline.ts'
import { createGetSessions, createSessionsAsListed } from './endpoints/get-sessions.ts'
import { createGetSimilarSessions } from './endpoints/get-similar-sessions.ts'
import { createGetUsage } from './endpoints/get-usage.ts'
import { createHandoffs } from './endpoints/handoffs.ts'
import { createInitRedirectSession } from './endpoints/init-redirect-session.ts'
import { createPasskeyHandlers } from './endpoints/passkeys.ts'
import { createReadLink } from './endpoints/read-link.ts'
import { createAssignReview } from './endpoints/reviewing/assign-review.ts'
import { createGetReviewCounts } from './endpoints/reviewing/get-review-counts.ts'
import { createReviewHandlers } from './endpoints/reviewing/reviews.ts'
import { createSecondOpinionHandlers } from './endpoints/reviewing/second-opinions.ts'
import { createSubmitPictures } from './endpoints/submit-pictures.ts'
import { createSubmitSession } from './endpoints/submit-session.ts'
import { createSubmitStep } from './endpoints/submit-step.ts'
import { createNoteViewing } from './evidence/evidence-viewing.ts'
import { createChangeHandoff } from './handoff/handoff.ts'
import type { SessionLists } from './listing/session-lists.ts'
import { createCheckLink } from './opening/link-check.ts'
import { createOpenLink } from './opening/link-opening.ts'
import { createPasskeyCeremonies } from './passkeys/ceremonies.ts'
import type { EndpointPorts, SessionFoundation } from './ports.ts'
import type { AddedFaces } from './reviewing/denied-faces.ts'
import { createReviews } from './reviewing/reviews.ts'
import { createSecondOpinions } from './reviewing/second-opinions.ts'
import type { SessionRecords } from './session-records.ts'
import type { SessionServices } from './session-services.ts'
import { createStepAnswers } from './steps/step-answers.ts'

/** The handlers of all session endpoints. */
export type SessionEndpoints = ReturnType<typeof createSessionEndpoints>

/** The services for operators, in addition to those of a visit. */
interface OperatorServices extends SessionServices {
  readonly lists: SessionLists
  readonly addedFaces: AddedFaces
}

export function createSessionEndpoints(
  ports: EndpointPorts,
  known: SessionFoundation,
  records: SessionRecords,
  services: OperatorServices,
) {
  return {
    ...createOpenings(ports, known, records, services),
    ...createSubmissions(ports, known, records, services),
    ...createVisits(ports, known, records, services),
    ...createOperations(ports, known, records, services),
    ...createFaceOperations(ports, known, records, services),
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
  { submit, analyseSubmission, lookAhead, evidence, early, mutex, readSession }: SessionServices,
) {
  const earlyPictures = early.pictures
  const stepAnswers = createStepAnswers({
    store,
    sessions,
    events,
    analyseSubmission,
    lookAhead,
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
  { accounts, audit, events, recognition, tokens }: SessionFoundation,
  { sessions, passkeys }: SessionRecords,
  { early, readSession }: SessionServices,
) {
  const { store, region, origin, now } = ports
  const earlyPictures = early.pictures
  const ceremonies = createPasskeyCeremonies({ ...ports, passkeys, sessions, readSession, events, audit })
  const changeHandoff = createChangeHandoff({ store, sessions, earlyPictures, readSession, now })
  return {
    getSession: createGetSession(readSession, sessions, region, now),
    getSessionResult: createGetSessionResult(readSession, accounts, sessions, recognition.access),
    ...createPasskeyHandlers(ceremonies),
    ...createHandoffs({ store, changeHandoff, tokens, audit, region, origin, now }),
  }
}

/** The actions that operators take on sessions. */
function createOperations(
  { store, now }: EndpointPorts,
  { accounts, deliveryStore: deliveries, events, verifications }: SessionFoundation,
  records: SessionRecords,
  { readSession, expire, evidence, lists }: OperatorServices,
) {
  const { sessions, sessionRows: rows, sessionHistory: history, usageCounts, evidenceRecords } = records
  const noteViewing = createNoteViewing(store, evidenceRecords)
  const timelineServices = { readSession, verifications, records: evidenceRecords, events }
  const reviewing = { ...records, store, accounts, readSession, events, deliveries, evidence, now }
  const secondOpinions = createSecondOpinions(reviewing)
  const { sample } = secondOpinions
  const asListed = createSessionsAsListed({ rows, history, verifications })
  return {
    getSessions: createGetSessions({ accounts, lists, rows, history }, asListed),
    getSessionTimeline: createGetSessionTimeline(timelineServices),
    getEvidence: createGetEvidence({ readSession, evidence, records: evidenceRecords, noteViewing }),
    cancelSession: createCancelSession(readSession, expire),
    ...createReviewHandlers(createReviews({ ...reviewing, sample })),
    ...createSecondOpinionHandlers(secondOpinions, accounts, asListed),
    assignReview: createAssignReview(readSession, sessions),
    getUsage: createGetUsage(usageCounts),
  }
}

/** Endpoints for the faces of sessions and for the counts of reviewers. */
function createFaceOperations(
  { now }: EndpointPorts,
  { recognition, verifications }: SessionFoundation,
  { memories, reviewCounts }: SessionRecords,
  { readSession, addedFaces }: OperatorServices,
) {
  const { sessionFaces } = memories
  const { access } = recognition
  return {
    getSimilarSessions: createGetSimilarSessions(readSession, sessionFaces),
    denyFace: createDenyFace({ readSession, verifications, sessionFaces, addedFaces, access, now }),
    getReviewCounts: createGetReviewCounts(reviewCounts),
  }
}
