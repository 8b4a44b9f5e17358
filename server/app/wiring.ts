import type { Pack } from '#models/rules/packs.ts'
import { createEmbedOriginsOf } from '#server/features/accounts/embedding.ts'
import { createAnalyseImage } from '#server/features/analysis/analyse-image.ts'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { createDemographics } from '#server/features/analysis/demographic.ts'
import { createEmotionAttention } from '#server/features/analysis/emotion-attention.ts'
import { createFaceVerification } from '#server/features/analysis/face-verification.ts'
import { createReadImage } from '#server/features/analysis/image-source.ts'
import { createLiveness } from '#server/features/analysis/liveness.ts'
import { createEnvironmentOf } from '#server/features/callers/environment.ts'
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
import { createNonces, type Nonces } from '#server/features/links/nonces.ts'
import { createSignatures, type Signatures } from '#server/features/links/signatures.ts'
import { createConsole } from '#server/features/operators/create-console.ts'
import type { OpenidSettings } from '#server/features/operators/openid/openid-settings.ts'
import { createExportPerson } from '#server/features/privacy/person-export.ts'
import type { CreateIndex } from '#server/features/recognition/faces/searchable-faces.ts'
import { createRecognition, type Recognition } from '#server/features/recognition/recognition.ts'
import { createReadSession } from '#server/features/sessions/access.ts'
import { createFindSimilarVisits } from '#server/features/sessions/earlier/find-similar-visits.ts'
import { createHandoffs } from '#server/features/sessions/handoff/handoff.ts'
import { createAnalyseFilm } from '#server/features/sessions/judging/analyse-film.ts'
import { createAnalyseFrames } from '#server/features/sessions/judging/analyse-frames.ts'
import { createAnalyseSubmission } from '#server/features/sessions/judging/analyse-submission.ts'
import { createCompletion } from '#server/features/sessions/judging/completion.ts'
import { createEndSession } from '#server/features/sessions/judging/ending.ts'
import { createConclude } from '#server/features/sessions/judging/retrying.ts'
import { createSubmitSession } from '#server/features/sessions/judging/submission.ts'
import { createSubmitInTurn } from '#server/features/sessions/judging/submission-flow.ts'
import { createAttempts } from '#server/features/sessions/opening/attempts.ts'
import { createCreateSession } from '#server/features/sessions/opening/creation.ts'
import { createInitRedirectSession } from '#server/features/sessions/opening/opening.ts'
import { createStartSession } from '#server/features/sessions/opening/start.ts'
import { createSuspicions } from '#server/features/sessions/opening/suspicions.ts'
import { createOperators } from '#server/features/sessions/operators.ts'
import type { TrustedRoots } from '#server/features/sessions/passkeys/attestation/trusted-roots.ts'
import { createPasskeyOffers } from '#server/features/sessions/passkeys/passkey-offers.ts'
import { createPasskeys } from '#server/features/sessions/passkeys/passkeys.ts'
import { createPrepareEnd } from '#server/features/sessions/results/end-events.ts'
import { expireOverdue } from '#server/features/sessions/results/expiry.ts'
import { createGetSession, createGetSessionResult } from '#server/features/sessions/results/reading.ts'
import { createSubmitStep } from '#server/features/sessions/steps/step-submission.ts'
import { createCompleteTestSession } from '#server/features/sessions/testing/test-completion.ts'
import { createTokenService } from '#server/features/tokens/token-service.ts'
import { createTokens, type Tokens } from '#server/features/tokens/tokens.ts'
import { createVerifications, type Verifications } from '#server/features/verifications/verifications.ts'
import { createFullness } from '#server/features/verify/fullness.ts'
import { createVerify } from '#server/features/verify/verify.ts'
import type { Phase } from '#server/platform/running/phase.ts'
import type { Tally } from '#server/platform/telemetry/figures/tally.ts'
import { createKeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { kioskLimits } from '#shared/contract/kiosk/kiosk-limits.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Region } from '#shared/hosts.ts'
import { type Administration, type AdministrationPorts, createAdministration } from './administration.ts'
import { createReadyz } from './readiness.ts'

/** From one address, of pairing codes; where attempts are limited at all. */
const mostWrongCodes = 5

/** What the services stand on: everything that differs between production and a test. */
export interface Ports extends AdministrationPorts {
  readonly analysis: AnalysisService
  /** What the analysis has networks for. */
  readonly pack: Pack
  /** The public origin of the configuration role, where the pages are; known once the server listens. */
  readonly origin: () => string
  /** The public origin of the security role, which tokens name as their issuer. */
  readonly issuer: () => string
  readonly region: Region
  /** Who may vouch for the device of a passkey; nobody leads to `high` where it is absent. */
  readonly passkeyRoots?: TrustedRoots
  readonly challengeActions: readonly Action[]
  readonly attemptLimit: number | undefined
  /** Sessions an hour that look forged, per link and external id; undefined where they are only told. */
  readonly forgeryLimit: number | undefined
  /** Origins that may embed the pages of every account. */
  readonly embedOrigins: readonly string[]
  /** How many faces a collection may hold before verify-duplicate turns a new one away. */
  readonly collectionLimit: number
  /** How many faces of all collections together stay in memory. */
  readonly facesInMemory?: number
  /** Makes the index of one collection of faces; one that is searched on the spot where absent. */
  readonly createIndex?: CreateIndex
  /** The operator's own provider of OpenID Connect, where there is one. */
  readonly openid?: OpenidSettings | undefined
  readonly tally: Tally
  readonly phase: () => Phase
  /** How many collections hold faces that no loaded network can read. */
  readonly unreadableCollections?: () => number
  /** What keeps the process from being ready besides its phase, in words. */
  readonly troubles?: () => readonly string[]
}

/** Everything that the endpoints and the pages call. */
export type Services = ReturnType<typeof createServices>

/** Wires the services from their ports. Constructs no port itself. */
export function createServices(ports: Ports) {
  const { store, analysis, pack, region, issuer, collectionLimit, now } = ports
  const analyseImage = createAnalyseImage(createReadImage(ports), analysis)
  const { embeddingModel: model, secondModel, formerModel } = pack
  const recognition = createRecognition({ ...ports, analyseImage, model, secondModel, formerModel })
  const { access } = recognition
  const administration = createAdministration(ports, recognition.removeByExternalId)
  const { accounts, tokenKeys, sessionStore } = administration
  const environmentOf = createEnvironmentOf(accounts)
  const tokens = createTokens({ keys: tokenKeys, region, issuer, environmentOf, now })
  const tokenService = createTokenService(tokens, accounts, now)
  const nonces = createNonces(store)
  const signatures = createSignatures({ accounts, nonces, now })
  const verifications = createVerifications({ store, accounts, recognition, pack, now })
  const known = { recognition, tokens, nonces, signatures, verifications }
  const judging = createJudging(ports, administration, known)
  const fullness = createFullness(store, administration.events)
  return {
    ...administration,
    ...createSessions(ports, administration, known, judging),
    ...createKioskHandlers(ports, administration, known, judging),
    console: createConsole({ ...administration, ...ports }),
    tokens,
    tokenService,
    signatures,
    verifications,
    recognition,
    verify: createVerify({ access, analyseImage, tokenService, fullness, collectionLimit, pack }),
    demographics: createDemographics(analyseImage),
    faceVerification: createFaceVerification(analyseImage, pack),
    emotionAttention: createEmotionAttention(analyseImage),
    liveness: createLiveness(analyseImage),
    embedOriginsOf: createEmbedOriginsOf({
      accounts,
      ownerOfVerification: verifications.ownerOf,
      ownerOfSession: sessionStore.accountOfOpen,
    }),
    readyz: createReadyz({
      store,
      tokenKeys,
      phase: ports.phase,
      unreadableCollections: ports.unreadableCollections,
      troubles: ports.troubles,
    }),
    pack,
    now,
  }
}

interface Known {
  readonly recognition: Recognition
  readonly tokens: Tokens
  readonly nonces: Nonces
  readonly signatures: Signatures
  readonly verifications: Verifications
}

/** What decides sessions, those of pages and those of kiosks. */
function createJudging(ports: Ports, administration: Administration, known: Known) {
  const { store, analysis, pictureMemory, challengeActions, tally, pack, origin, now } = ports
  const { accounts, audit, deliveries, events, passkeys, visits } = administration
  const { sessionStore: sessions } = administration
  const { recognition, signatures, verifications } = known
  const attempts = createAttempts(store, ports.attemptLimit, now)
  const suspicions = createSuspicions(store, ports.forgeryLimit, now)
  const reports = createKioskReports(store, now)
  const captures = createCaptureStore(store, reports)
  const passkeyOffers = createPasskeyOffers({ passkeys, pack, origin, now })
  const endSession = createEndSession({
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
  const conclude = createConclude({ endSession, sessions, accounts, attempts, now })
  const completion = createCompletion(endSession, conclude, recognition.gallery, verifications)
  const analyseFrames = createAnalyseFrames(analysis, pictureMemory, challengeActions)
  const analyseSubmission = createAnalyseSubmission(analyseFrames, createAnalyseFilm(analysis))
  const findSimilarVisits = createFindSimilarVisits({ store, visits, accounts, pack, now })
  const ofPictures = { sessions, events, analyseSubmission, mutex: createKeyedMutex(), now }
  const submitInTurn = createSubmitInTurn({ ...ofPictures, completion, findSimilarVisits })
  return { attempts, suspicions, reports, captures, completion, passkeyOffers, ofPictures, submitInTurn }
}

type Judging = ReturnType<typeof createJudging>

function createSessions(ports: Ports, administration: Administration, known: Known, judging: Judging) {
  const { store, pack, region, origin, embedOrigins, challengeActions: allowedActions, now } = ports
  const { passkeyRoots } = ports
  const { accounts, audit, events, passkeys, personSessions, sessionStore: sessions } = administration
  const { tokens, nonces, signatures, verifications } = known
  const { attempts, suspicions, completion, passkeyOffers, ofPictures, submitInTurn } = judging
  const { access } = known.recognition
  const readSession = createReadSession({ sessions, completion, verifications, now })
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
    sessions: {
      createSession: createCreateSession({ ...opening, pack, access, origin }),
      initRedirectSession: createInitRedirectSession({ ...opening, signatures, nonces, sessions, now }),
      getSession: createGetSession(readSession, region, now),
      submitStep: createSubmitStep({ ...ofPictures, readSession, allowedActions }),
      submitSession: createSubmitSession(readSession, submitInTurn),
      completeTestSession: createCompleteTestSession({ accounts, readSession, submitInTurn }),
      getSessionResult: createGetSessionResult(readSession, accounts, sessions),
      ...createOperators({
        ...administration,
        accounts,
        verifications,
        readSession,
        completion,
        sessions,
        now,
      }),
      ...createPasskeys({ passkeys, sessions, readSession, events, pack, origin, now, passkeyRoots }),
      ...createHandoffs({ store, sessions, readSession, tokens, audit, region, origin, now }),
    },
    exportPerson: createExportPerson({ ...administration, attempts, suspicions, access, now }),
    expireOverdue: () => expireOverdue(sessions, completion, now),
  }
}

function createKioskHandlers(
  { store, keyRing, region, origin, challengeActions: allowedActions, attemptLimit, now }: Ports,
  { accounts, audit, events, kioskStore: kiosks, sessionStore: sessions }: Administration,
  { tokens, verifications }: Known,
  { captures, reports, submitInTurn }: Judging,
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
      submitKiosk: createSubmitKiosk({ captures, sessions, takeCapture, submitInTurn, reports }),
    },
    admitKiosk: createAdmitKiosk(kiosks),
  }
}
