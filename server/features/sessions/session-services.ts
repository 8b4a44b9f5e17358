import { type ByteBudget, createByteBudget } from '#server/platform/running/byte-budget.ts'
import { createKeyedMutex, type KeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { createReadSession, type Expire, type ReadSession } from './access/session-reader.ts'
import { createEarlyAnalysis, type EarlyAnalysis } from './early-pictures/early-analysis.ts'
import { createEarlyPictures, type EarlyPictures } from './early-pictures/early-pictures.ts'
import { createPulse, type Pulse } from './early-pictures/pulse.ts'
import { createEvidence, type Evidence } from './evidence/evidence.ts'
import { type CommitOutcome, createCommitOutcome, createExpire } from './judging/commit-outcome.ts'
import { createEndSession } from './judging/end-session.ts'
import { createFindSimilarVisits } from './judging/find-similar-visits.ts'
import { createSubmit, type Submit } from './judging/submit.ts'
import { createStartSession, type StartSession } from './opening/start.ts'
import { createPasskeyOffers, type PasskeyOffers } from './passkeys/passkey-offers.ts'
import { type AnalyseFilm, createAnalyseFilm } from './pictures/analyse-film.ts'
import { type AnalyseFrames, createAnalyseFrames } from './pictures/analyse-frames.ts'
import {
  type AnalyseSubmission,
  createAnalyseSubmission,
  createLookAhead,
  type LookAhead,
} from './pictures/analyse-submission.ts'
import type { ServicePorts, SessionFoundation } from './ports.ts'
import { createPrepareEnd } from './results/end-events.ts'
import type { SessionRecords } from './session-records.ts'

/** Opens and decides sessions, for pages and for other features. */
export interface SessionServices {
  readonly startSession: StartSession
  readonly readSession: ReadSession
  readonly submit: Submit
  readonly expire: Expire
  readonly analyseSubmission: AnalyseSubmission
  readonly lookAhead: LookAhead
  readonly evidence: Evidence
  readonly early: EarlyServices
  /** Ensures that only one submission or step per session is judged at a time. */
  readonly mutex: KeyedMutex
}

/** Accepts pictures before a step ends, analyses them, and has them judged with the step. */
export interface EarlyServices {
  readonly pictures: EarlyPictures
  readonly analysis: EarlyAnalysis
  readonly pulse: Pulse
  readonly budget: ByteBudget
}

/** The most picture bytes that can wait for analysis, across all sessions in a process, unless a port sets another limit. */
const mostWaitingBytes = 256 * 1024 * 1024

export function createSessionServices(
  ports: ServicePorts,
  known: SessionFoundation,
  records: SessionRecords,
): SessionServices {
  const { store, analysis, challengeActions, pack, origin, now } = ports
  const { accounts, events, recognition, tokens, verifications } = known
  const { sessions, passkeys, memories, limits } = records
  const { pictureMemory, filmMemory } = memories
  const evidence = createSessionEvidence(ports, records)
  const analyseFrames = createAnalyseFrames(analysis, pictureMemory, challengeActions)
  const analyseFilm = createAnalyseFilm(analysis, filmMemory)
  const early = createEarlyServices(ports, records, { analyseFrames, analyseFilm, evidence })
  const passkeyOffers = createPasskeyOffers({ passkeys, pack, origin, now })
  const commitOutcome = createOutcomes(ports, known, records, { evidence, early, passkeyOffers })
  const analyseSubmission = createAnalyseSubmission(analyseFrames, analyseFilm)
  const lookAhead = createLookAhead(analyseFrames, analyseFilm)
  const mutex = createKeyedMutex()
  const submit = createSubmit({
    store,
    sessions,
    events,
    analyseSubmission,
    films: filmMemory,
    findSimilarVisits: createFindSimilarVisits({ ...memories, store, accounts, pack, now }),
    collections: recognition.access,
    verifications,
    commitOutcome,
    mutex,
    now,
  })
  const expire = createExpire(store, commitOutcome)
  const readSession = createReadSession({ sessions, expire, verifications, now })
  const { access } = recognition
  const startSession = createStartSession({ ...ports, ...records, ...limits, passkeyOffers, tokens, access })
  return { startSession, readSession, submit, expire, analyseSubmission, lookAhead, evidence, early, mutex }
}

function createSessionEvidence(ports: ServicePorts, { evidenceRecords }: SessionRecords): Evidence {
  return createEvidence({
    records: evidenceRecords,
    blobs: ports.blobs,
    now: ports.now,
    onLost(error) {
      ports.tally.evidenceLost()
      ports.onEvidenceLost(error)
    },
  })
}

interface EarlyDependencies {
  readonly analyseFrames: AnalyseFrames
  readonly analyseFilm: AnalyseFilm
  readonly evidence: Pick<Evidence, 'gather'>
}

function createEarlyServices(
  {
    store,
    analysis: { parallel },
    onEarlyLost = () => undefined,
    mostEarlyBytes = mostWaitingBytes,
  }: ServicePorts,
  { intakes }: SessionRecords,
  { analyseFrames, analyseFilm, evidence }: EarlyDependencies,
): EarlyServices {
  const analysis = createEarlyAnalysis({
    frames: analyseFrames,
    film: analyseFilm,
    parallel,
    intakes,
    evidence,
    onLost: onEarlyLost,
  })
  const pulse = createPulse(store)
  const pictures = createEarlyPictures({ intakes, analysis, pulse })
  return { pictures, analysis, pulse, budget: createByteBudget(mostEarlyBytes) }
}

interface OutcomeDependencies {
  readonly evidence: Evidence
  readonly early: EarlyServices
  readonly passkeyOffers: PasskeyOffers
}

function createOutcomes(
  { tally, now }: ServicePorts,
  { accounts, audit, captures, deliveries, events, signatures }: SessionFoundation,
  { sessions, evidenceRecords, limits }: SessionRecords,
  { evidence, early, passkeyOffers }: OutcomeDependencies,
): CommitOutcome {
  const { attempts, suspicions, addressShares } = limits
  const endSession = createEndSession({
    counts: { tally, suspicions, attempts },
    evidenceRecords,
    addressShares,
    audit,
    captures,
    prepareEnd: createPrepareEnd(events, deliveries, now),
    passkeyOffers,
    sessions,
    signatures,
    now,
  })
  return createCommitOutcome({
    accounts,
    endSession,
    attempts,
    evidence,
    earlyPictures: early.pictures,
    sessions,
    now,
  })
}
