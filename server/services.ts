import type { Action } from '#shared/contract/session.ts'
import type { Region } from '#shared/hosts.ts'
import { type Accounts, createAccounts } from './accounts/accounts.ts'
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
import type { Outbound } from './http/outbound.ts'
import type { Phase } from './operations/phase.ts'
import { createReadyz } from './operations/readiness.ts'
import type { Tally } from './operations/tally.ts'
import { createRecognition, type Recognition } from './recognition/recognition.ts'
import type { KeyRing } from './security/key-ring.ts'
import { createTokenKeys, type TokenKeys } from './security/token-keys.ts'
import { createTokenService, type TokenService } from './security/token-service.ts'
import { createTokens, type Tokens } from './security/tokens.ts'
import { createReadSession } from './sessions/access.ts'
import { createAttempts } from './sessions/attempts.ts'
import { createCompletion } from './sessions/completion.ts'
import { type CreateSession, createCreateSession } from './sessions/creation.ts'
import { expireOverdue } from './sessions/expiry.ts'
import { createInitRedirectSession, type InitRedirectSession } from './sessions/opening.ts'
import type { PictureMemory } from './sessions/picture-memory.ts'
import { createGetSession, createGetSessionResult } from './sessions/reading.ts'
import { createSessionStore } from './sessions/session-store.ts'
import { createStartSession } from './sessions/start.ts'
import { createSubmitStep, type JudgeStep, type SubmitStep } from './sessions/step-submission.ts'
import { createSubmitSession, type Decide, type SubmitSession } from './sessions/submission.ts'
import { createWatch, type Observe } from './sessions/watch.ts'
import type { Clock, Store } from './store/store.ts'
import { createTurns } from './store/turns.ts'
import { createVerify, type Verify } from './verify/verify.ts'
import { createDeliveries, type Deliveries } from './webhook/deliveries.ts'
import { createSendEvent, type SendEvent } from './webhook/event.ts'

/** What the services stand on: everything that differs between production and a test. */
export interface Ports {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly analysis: AnalysisService
  readonly pictureMemory: PictureMemory
  readonly outbound: Outbound
  /** The verdict, in its three pure parts. */
  readonly judge: { readonly observe: Observe; readonly judgeStep: JudgeStep; readonly decide: Decide }
  readonly now: Clock
  /** The public origin of the configuration role, where the pages are; known once the server listens. */
  readonly origin: () => string
  /** The public origin of the security role, which tokens name as their issuer. */
  readonly issuer: () => string
  readonly region: Region
  readonly challengeActions: readonly Action[]
  readonly attemptLimit: number | undefined
  readonly webhookRetryAfterInMilliseconds: number
  /** How many faces a collection may hold before verify-duplicate turns a new one away. */
  readonly collectionLimit: number
  readonly tally: Tally
  readonly phase: () => Phase
}

/** Everything that the endpoints and the pages call. */
export interface Services {
  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly tokenKeys: TokenKeys
  readonly tokenService: TokenService
  readonly signatures: Signatures
  readonly verifications: Verifications
  readonly deliveries: Deliveries
  readonly recognition: Recognition
  readonly verify: Verify
  readonly sessions: {
    readonly create: CreateSession
    readonly init: InitRedirectSession
    readonly get: ReturnType<typeof createGetSession>
    readonly submitStep: SubmitStep
    readonly submit: SubmitSession
    readonly getResult: ReturnType<typeof createGetSessionResult>
    expireOverdue(): Promise<void>
  }
  readonly demographics: Demographics
  readonly faceVerification: FaceVerification
  readonly emotionAttention: EmotionAttention
  readonly liveness: Liveness
  readonly readyz: ReturnType<typeof createReadyz>
  readonly now: Clock
}

/** Wires the services from their ports. Constructs no port itself. */
export function createServices(ports: Ports): Services {
  const { store, keyRing, now } = ports
  const accounts = createAccounts({ store, keyRing, now })
  const tokenKeys = createTokenKeys(store, keyRing, now)
  const tokens = createTokens({ keys: tokenKeys, region: ports.region, issuer: ports.issuer, now })
  const nonces = createNonces(store)
  const signatures = createSignatures({ accounts, nonces, now })
  const deliveries = createDeliveries({
    store,
    sendEvent: counted(createSendEvent(accounts, ports.outbound, now), ports.tally),
    retryAfterInMilliseconds: ports.webhookRetryAfterInMilliseconds,
    now,
  })
  const tokenService = createTokenService(tokens, now)
  const analyseImage = createAnalyseImage(createReadImage(ports), ports.analysis)
  const recognition = createRecognition({ store, keyRing, analyseImage, now })
  const verifications = createVerifications({ store, accounts, recognition, now })
  const { collectionLimit } = ports
  const verify = createVerify({ access: recognition.access, analyseImage, tokenService, collectionLimit })
  const known = { accounts, tokens, nonces, signatures, verifications, deliveries, recognition }
  const sessions = createSessions(ports, known)
  const readyz = createReadyz({ store, tokenKeys, phase: ports.phase })
  const analyses = createAnalyses(analyseImage)
  return { ...known, ...analyses, tokenKeys, tokenService, verify, sessions, readyz, now }
}

function counted(send: SendEvent, tally: Tally): SendEvent {
  return async (delivery) => {
    const taken = await send(delivery)
    tally.webhookSent(taken)
    return taken
  }
}

/** The roles that analyse one picture and keep nothing. */
function createAnalyses(analyseImage: AnalyseImage) {
  return {
    demographics: createDemographics(analyseImage),
    faceVerification: createFaceVerification(analyseImage),
    emotionAttention: createEmotionAttention(analyseImage),
    liveness: createLiveness(analyseImage),
  }
}

type Known = Pick<
  Services,
  'accounts' | 'tokens' | 'signatures' | 'verifications' | 'deliveries' | 'recognition'
> & {
  nonces: ReturnType<typeof createNonces>
}

function createSessions(ports: Ports, known: Known): Services['sessions'] {
  const { store, keyRing, now, region, judge } = ports
  const { tokens, verifications } = known
  const sessions = createSessionStore(store, keyRing, now)
  const attempts = createAttempts(store, ports.attemptLimit, now)
  const { gallery } = known.recognition
  const completion = createCompletion({ ...known, attempts, gallery, sessions, tally: ports.tally })
  const startSession = createStartSession({ sessions, tokens, region, now })
  const readSession = createReadSession({ sessions, completion, verifications, now })
  const watch = createWatch({ analysis: ports.analysis, memory: ports.pictureMemory, observe: judge.observe })
  const shared = {
    readSession,
    sessions,
    turns: createTurns(),
    watch,
    allowedActions: ports.challengeActions,
    now,
  }
  return {
    create: createCreateSession({ ...known, attempts, startSession, origin: ports.origin }),
    init: createInitRedirectSession({ ...known, attempts, startSession, now }),
    get: createGetSession(readSession, region, now),
    submitStep: createSubmitStep({ ...shared, judgeStep: judge.judgeStep }),
    submit: createSubmitSession({ ...shared, completion, decide: judge.decide }),
    getResult: createGetSessionResult(readSession),
    expireOverdue: () => expireOverdue(sessions, completion, now),
  }
}
