import type { JudgeStep } from '#models/rules/challenge/step-judgement.ts'
import type { Pack } from '#models/rules/packs.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import type { Region } from '#shared/hosts.ts'
import { createEmbedOriginsOf, type EmbedOriginsOf } from './accounts/embedding.ts'
import { type Administration, type AdministrationPorts, createAdministration } from './administration.ts'
import { type AnalyseImage, createAnalyseImage } from './analysis/analyse-image.ts'
import type { AnalysisService } from './analysis/analysis-service.ts'
import { createDemographics, type Demographics } from './analysis/demographic.ts'
import { createEmotionAttention, type EmotionAttention } from './analysis/emotion-attention.ts'
import { createFaceVerification, type FaceVerification } from './analysis/face-verification.ts'
import { createReadImage } from './analysis/image-source.ts'
import { createLiveness, type Liveness } from './analysis/liveness.ts'
import { createNonces } from './configuration/nonces.ts'
import { createSignatures, type Signatures } from './configuration/signatures.ts'
import { createVerifications, type Verifications } from './configuration/verifications.ts'
import { createKioskService, type KioskService } from './kiosk/kiosk-service.ts'
import type { Phase } from './operations/phase.ts'
import { createReadyz } from './operations/readiness.ts'
import type { Tally } from './operations/tally.ts'
import type { CreateIndex } from './recognition/faces/searchable-faces.ts'
import { createRecognition, type Recognition } from './recognition/recognition.ts'
import { createTokenService, type TokenService } from './security/token-service.ts'
import { createTokens, type Tokens } from './security/tokens.ts'
import { createReadSession } from './sessions/access.ts'
import { createHandoffs, type Handoffs } from './sessions/handoff/handoff.ts'
import { createCompletion } from './sessions/judging/completion.ts'
import { createJudging } from './sessions/judging/judging.ts'
import { createSubmitSession, type Decide, type SubmitSession } from './sessions/judging/submission.ts'
import { createWatch, type Observe } from './sessions/judging/watch.ts'
import { createAttempts } from './sessions/opening/attempts.ts'
import { type CreateSession, createCreateSession } from './sessions/opening/creation.ts'
import { createInitRedirectSession, type InitRedirectSession } from './sessions/opening/opening.ts'
import { createStartSession } from './sessions/opening/start.ts'
import { expireOverdue } from './sessions/results/expiry.ts'
import { createGetSession, createGetSessionResult } from './sessions/results/reading.ts'
import { createSubmitStep, type SubmitStep } from './sessions/steps/step-submission.ts'
import type { Clock } from './store/store.ts'
import { createTurns } from './store/turns.ts'
import { createVerify, type Verify } from './verify/verify.ts'

/** What the services stand on: everything that differs between production and a test. */
export interface Ports extends AdministrationPorts {
  readonly analysis: AnalysisService
  /** What the analysis has networks for. */
  readonly pack: Pack
  /** The verdict, in its three pure parts. */
  readonly judge: { readonly observe: Observe; readonly judgeStep: JudgeStep; readonly decide: Decide }
  /** The public origin of the configuration role, where the pages are; known once the server listens. */
  readonly origin: () => string
  /** The public origin of the security role, which tokens name as their issuer. */
  readonly issuer: () => string
  readonly region: Region
  readonly challengeActions: readonly Action[]
  readonly attemptLimit: number | undefined
  /** Origins that may embed the pages of every account. */
  readonly embedOrigins: readonly string[]
  /** How many faces a collection may hold before verify-duplicate turns a new one away. */
  readonly collectionLimit: number
  /** How many faces of all collections together stay in memory. */
  readonly facesInMemory?: number
  /** Makes the index of one collection of faces; one that is searched on the spot where absent. */
  readonly createIndex?: CreateIndex
  readonly tally: Tally
  readonly phase: () => Phase
}

/** Everything that the endpoints and the pages call. */
export interface Services extends Administration {
  readonly tokens: Tokens
  readonly tokenService: TokenService
  readonly signatures: Signatures
  readonly verifications: Verifications
  readonly embedOriginsOf: EmbedOriginsOf
  readonly recognition: Recognition
  readonly verify: Verify
  readonly sessions: {
    readonly create: CreateSession
    readonly init: InitRedirectSession
    readonly get: ReturnType<typeof createGetSession>
    readonly submitStep: SubmitStep
    readonly submit: SubmitSession
    readonly handoffs: Handoffs
    readonly getResult: ReturnType<typeof createGetSessionResult>
    expireOverdue(): Promise<void>
  }
  readonly kiosks: KioskService
  readonly demographics: Demographics
  readonly faceVerification: FaceVerification
  readonly emotionAttention: EmotionAttention
  readonly liveness: Liveness
  readonly readyz: ReturnType<typeof createReadyz>
  readonly pack: Pack
  readonly now: Clock
}

/** Wires the services from their ports. Constructs no port itself. */
export function createServices(ports: Ports): Services {
  const { store, now } = ports
  const analyseImage = createAnalyseImage(createReadImage(ports), ports.analysis)
  const { pack } = ports
  const recognition = createRecognition({ ...ports, analyseImage, model: pack.embeddingModel })
  const administration = createAdministration(ports, recognition.removeByExternalId)
  const { accounts, tokenKeys, sessionStore } = administration
  const tokens = createTokens({ keys: tokenKeys, region: ports.region, issuer: ports.issuer, now })
  const nonces = createNonces(store)
  const signatures = createSignatures({ accounts, nonces, now })
  const verifications = createVerifications({ store, accounts, recognition, pack, now })
  const tokenService = createTokenService(tokens, now)
  const { collectionLimit } = ports
  const verify = createVerify({
    access: recognition.access,
    analyseImage,
    tokenService,
    collectionLimit,
    pack,
  })
  const known = { ...administration, tokens, nonces, signatures, verifications, recognition }
  const parts = createSessionParts(ports, known)
  const sessions = createSessions(ports, known, parts)
  const kiosks = createKioskService({ ...ports, ...known, ...parts, ...ports.judge })
  const embedOriginsOf = createEmbedOriginsOf({
    accounts,
    ownerOfVerification: verifications.ownerOf,
    ownerOfSession: sessionStore.accountOfOpen,
  })
  const readyz = createReadyz({ store, tokenKeys, phase: ports.phase })
  const analyses = createAnalyses(analyseImage, ports.pack)
  return { ...known, ...analyses, tokenService, verify, embedOriginsOf, sessions, kiosks, readyz, pack, now }
}

/** The roles that analyse one picture and keep nothing. */
function createAnalyses(analyseImage: AnalyseImage, pack: Pack) {
  return {
    demographics: createDemographics(analyseImage),
    faceVerification: createFaceVerification(analyseImage, pack.embeddingModel),
    emotionAttention: createEmotionAttention(analyseImage),
    liveness: createLiveness(analyseImage),
  }
}

type Known = Administration &
  Pick<Services, 'tokens' | 'signatures' | 'verifications' | 'recognition'> & {
    nonces: ReturnType<typeof createNonces>
  }

/** What sessions of pages and of kiosks are made of alike. */
function createSessionParts(ports: Ports, known: Known) {
  const { store, now, judge } = ports
  const { sessionStore: sessions } = known
  const attempts = createAttempts(store, ports.attemptLimit, now)
  const { gallery } = known.recognition
  return {
    sessions,
    attempts,
    completion: createCompletion({ ...known, attempts, gallery, sessions, tally: ports.tally }),
    judging: createJudging(sessions, now),
    turns: createTurns(),
    watch: createWatch({ analysis: ports.analysis, memory: ports.pictureMemory, observe: judge.observe }),
    allowedActions: ports.challengeActions,
  }
}

function createSessions(
  ports: Ports,
  known: Known,
  parts: ReturnType<typeof createSessionParts>,
): Services['sessions'] {
  const { now, region, judge, origin, pack, embedOrigins } = ports
  const { tokens } = known
  const { sessions, attempts, completion } = parts
  const startSession = createStartSession({ sessions, tokens, region, embedOrigins, pack, now })
  const readSession = createReadSession({ ...known, sessions, completion, now })
  const shared = { ...parts, readSession, now }
  return {
    create: createCreateSession({ ...known, attempts, startSession, pack, origin }),
    init: createInitRedirectSession({ ...known, attempts, sessions, startSession, now }),
    get: createGetSession(readSession, region, now),
    submitStep: createSubmitStep({ ...shared, judgeStep: judge.judgeStep }),
    submit: createSubmitSession({ ...shared, decide: judge.decide }),
    handoffs: createHandoffs({ ...ports, ...known, sessions, readSession }),
    getResult: createGetSessionResult(readSession),
    expireOverdue: () => expireOverdue(sessions, completion, now),
  }
}
