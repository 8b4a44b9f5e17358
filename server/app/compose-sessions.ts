import type { Accounts } from '#server/features/accounts/accounts.ts'
import { createAdmitKiosk } from '#server/features/kiosks/admission.ts'
import { createReadAssertion } from '#server/features/kiosks/assertions.ts'
import { createOpenCapture } from '#server/features/kiosks/capture-opening.ts'
import { createTakeCapture } from '#server/features/kiosks/capture-sessions.ts'
import { createCaptureStore } from '#server/features/kiosks/capture-store.ts'
import { createSubmitKiosk } from '#server/features/kiosks/capture-submission.ts'
import { createKioskKeys } from '#server/features/kiosks/kiosk-keys.ts'
import { createKioskReports } from '#server/features/kiosks/kiosk-reports.ts'
import { createTokenKiosk } from '#server/features/kiosks/kiosk-token.ts'
import { createFollow } from '#server/features/kiosks/kiosk-verification.ts'
import { createKiosks } from '#server/features/kiosks/kiosks.ts'
import { createPairKiosk } from '#server/features/kiosks/pairing.ts'
import { createPlans } from '#server/features/kiosks/plans.ts'
import { createProvide } from '#server/features/kiosks/provisions.ts'
import { createSyncKiosk } from '#server/features/kiosks/sync.ts'
import { createReadSession } from '#server/features/sessions/access.ts'
import { createFindSimilarVisits } from '#server/features/sessions/earlier/find-similar-visits.ts'
import { createVisitStore } from '#server/features/sessions/earlier/visit-store.ts'
import { createHandoffs } from '#server/features/sessions/handoff/handoff.ts'
import { createAnalyseFilm } from '#server/features/sessions/judging/analyse-film.ts'
import { createAnalyseFrames } from '#server/features/sessions/judging/analyse-frames.ts'
import { createAnalyseSubmission } from '#server/features/sessions/judging/analyse-submission.ts'
import { createCommitOutcome, createExpire } from '#server/features/sessions/judging/commit-outcome.ts'
import { createSubmitSession } from '#server/features/sessions/judging/page-submission.ts'
import { createSubmit } from '#server/features/sessions/judging/submit.ts'
import { createPersonSessions } from '#server/features/sessions/listing/person-sessions.ts'
import { createSessionRows } from '#server/features/sessions/listing/session-rows.ts'
import { createAttempts } from '#server/features/sessions/opening/attempts.ts'
import { createCreateSession } from '#server/features/sessions/opening/creation.ts'
import { createInitRedirectSession } from '#server/features/sessions/opening/opening.ts'
import { createStartSession } from '#server/features/sessions/opening/start.ts'
import { createSuspicions } from '#server/features/sessions/opening/suspicions.ts'
import { createOperators } from '#server/features/sessions/operators.ts'
import { createPasskeyOffers } from '#server/features/sessions/passkeys/passkey-offers.ts'
import { createResetPasskeys } from '#server/features/sessions/passkeys/passkey-reset.ts'
import { createPasskeyStore } from '#server/features/sessions/passkeys/passkey-store.ts'
import { createPasskeys } from '#server/features/sessions/passkeys/passkeys.ts'
import { createPrepareEnd } from '#server/features/sessions/results/end-events.ts'
import { expireOverdue } from '#server/features/sessions/results/expiry.ts'
import { createGetSession, createGetSessionResult } from '#server/features/sessions/results/reading.ts'
import { createSessionStore } from '#server/features/sessions/session-store.ts'
import { createSubmitStep } from '#server/features/sessions/steps/step-submission.ts'
import { createCompleteTestSession } from '#server/features/sessions/testing/test-completion.ts'
import { createUsageCounts } from '#server/features/sessions/usage/usage-counts.ts'
import { createKeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { Foundation } from './compose-foundation.ts'
import type { Ports } from './ports.ts'

/** From one address, of pairing codes; where attempts are limited at all. */
const mostWrongCodes = 5

/** Where what sessions leave behind is kept. */
export type SessionRecords = ReturnType<typeof createSessionRecords>

export function createSessionRecords({ store, keyRing, now }: Ports, accounts: Accounts) {
  const sessionRows = createSessionRows(store, keyRing)
  const usageCounts = createUsageCounts(store, now)
  const passkeys = createPasskeyStore({ store, keyRing, accounts })
  return {
    sessionStore: createSessionStore(store, keyRing, now, sessionRows, usageCounts),
    sessionRows,
    usageCounts,
    personSessions: createPersonSessions(store, accounts),
    passkeys,
    visits: createVisitStore(store, keyRing),
    resetPasskeys: createResetPasskeys(passkeys),
  }
}

/** What decides sessions, those of pages and those of kiosks. */
export function createJudging(ports: Ports, known: Foundation, records: SessionRecords) {
  const { store, analysis, pictureMemory, challengeActions, tally, pack, origin, now } = ports
  const { accounts, audit, deliveries, events, recognition, signatures, verifications } = known
  const { sessionStore: sessions, passkeys, visits } = records
  const attempts = createAttempts(store, ports.attemptLimit, now)
  const suspicions = createSuspicions(store, ports.forgeryLimit, now)
  const reports = createKioskReports(store, now)
  const captures = createCaptureStore(store, reports)
  const passkeyOffers = createPasskeyOffers({ passkeys, pack, origin, now })
  const commitOutcome = createCommitOutcome({
    accounts,
    attempts,
    suspicions,
    audit,
    captures,
    prepareEnd: createPrepareEnd(events, deliveries, now),
    passkeyOffers,
    sessions,
    signatures,
    tally,
    now,
  })
  const expire = createExpire(store, commitOutcome)
  const analyseFrames = createAnalyseFrames(analysis, pictureMemory, challengeActions)
  const analyseSubmission = createAnalyseSubmission(analyseFrames, createAnalyseFilm(analysis))
  const findSimilarVisits = createFindSimilarVisits({ store, visits, accounts, pack, now })
  const ofPictures = { store, sessions, events, analyseSubmission, mutex: createKeyedMutex(), now }
  const decided = { findSimilarVisits, collections: recognition.access, verifications, commitOutcome }
  const submit = createSubmit({ ...ofPictures, ...decided })
  return { attempts, suspicions, reports, captures, expire, passkeyOffers, ofPictures, submit }
}

export type Judging = ReturnType<typeof createJudging>

export function createSessions(ports: Ports, known: Foundation, records: SessionRecords, judging: Judging) {
  const { store, pack, region, origin, embedOrigins, challengeActions: allowedActions, now } = ports
  const { passkeyRoots } = ports
  const { accounts, audit, events, tokens, nonces, signatures, verifications } = known
  const { passkeys, personSessions, sessionStore: sessions, sessionRows, usageCounts } = records
  const { attempts, suspicions, expire, passkeyOffers, ofPictures, submit } = judging
  const { access } = known.recognition
  const readSession = createReadSession({ sessions, expire, verifications, now })
  const startSession = createStartSession({
    sessions,
    personSessions,
    passkeyOffers,
    tokens,
    region,
    embedOrigins,
    pack,
    now,
  })
  const opening = { accounts, verifications, attempts, suspicions, startSession }
  return {
    startSession,
    readSession,
    sessions: {
      createSession: createCreateSession({ ...opening, pack, access, origin }),
      initRedirectSession: createInitRedirectSession({ ...opening, signatures, nonces, sessions, now }),
      getSession: createGetSession(readSession, region, now),
      submitStep: createSubmitStep({ ...ofPictures, readSession, allowedActions }),
      submitSession: createSubmitSession(readSession, submit),
      completeTestSession: createCompleteTestSession({ accounts, readSession, submit }),
      getSessionResult: createGetSessionResult(readSession, accounts, sessions),
      ...createOperators({
        accounts,
        verifications,
        readSession,
        expire,
        store,
        sessions,
        sessionRows,
        usageCounts,
        events,
        now,
      }),
      ...createPasskeys({ passkeys, sessions, readSession, events, pack, origin, now, passkeyRoots }),
      ...createHandoffs({ store, sessions, readSession, tokens, audit, region, origin, now }),
    },
    expireOverdue: () => expireOverdue(sessions, expire, now),
  }
}

export function createKioskHandlers(
  { store, keyRing, region, origin, challengeActions: allowedActions, attemptLimit, now }: Ports,
  { accounts, audit, events, kioskStore: kiosks, tokens, verifications }: Foundation,
  { sessionStore: sessions }: SessionRecords,
  { captures, reports, submit }: Judging,
) {
  const keys = createKioskKeys(store, keyRing, now)
  const plans = createPlans({ keys: keys.plan, issuer: origin, allowedActions, now })
  const follow = createFollow(accounts, verifications)
  const provide = createProvide({ follow, keys, plans, region, now })
  const wrongCodes = attemptLimit === undefined ? undefined : mostWrongCodes
  const attempts = createAttempts(store, wrongCodes, now, kioskLimits.pairingInMinutes * 60)
  const readAssertion = createReadAssertion({ store, kiosks, issuer: origin, now })
  const openCapture = createOpenCapture(keys.sealing)
  const takeCapture = createTakeCapture({
    store,
    follow,
    openCapture,
    kiosks,
    captures,
    sessions,
    plans,
    audit,
    events,
    now,
  })
  return {
    kiosks: {
      ...createKiosks({ kiosks, reports, verifications, events, origin, now }),
      pairKiosk: createPairKiosk({ kiosks, reports, attempts, audit, provide, issuer: origin, now }),
      tokenKiosk: createTokenKiosk(readAssertion, tokens, reports, now),
      syncKiosk: createSyncKiosk({ reports, provide, now }),
      submitKiosk: createSubmitKiosk({ captures, sessions, takeCapture, submit, reports }),
    },
    admitKiosk: createAdmitKiosk(kiosks),
  }
}
