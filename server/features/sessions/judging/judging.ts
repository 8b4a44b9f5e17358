import { createFindSimilarVisits } from '#server/features/sessions/earlier/find-similar-visits.ts'
import { createEvidence, type Evidence } from '#server/features/sessions/evidence/evidence.ts'
import { createHandedIn, type HandedInPart } from '#server/features/sessions/handed-in/compose.ts'
import { createPasskeyOffers, type PasskeyOffers } from '#server/features/sessions/passkeys/passkey-offers.ts'
import type { SessionFoundation, SessionPorts } from '#server/features/sessions/ports.ts'
import { createPrepareEnd } from '#server/features/sessions/results/end-events.ts'
import type { SessionRecords } from '#server/features/sessions/session-records.ts'
import { createKeyedMutex, type KeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { createAnalyseFilm } from './analyse-film.ts'
import { createAnalyseFrames } from './analyse-frames.ts'
import { type AnalyseSubmission, createAnalyseSubmission } from './analyse-submission.ts'
import { createCommitOutcome, createExpire, type Expire } from './commit-outcome.ts'
import { createSubmit, type Submit } from './submit.ts'

/** Decides sessions from pages and from kiosks. */
export interface Judging {
  readonly submit: Submit
  readonly expire: Expire
  readonly analyseSubmission: AnalyseSubmission
  readonly evidence: Evidence
  readonly passkeyOffers: PasskeyOffers
  /** The pictures sent before a step ends. */
  readonly handedIn: HandedInPart
  /** Ensures that only one submission or step per session is judged at a time. */
  readonly mutex: KeyedMutex
}

export function createJudging(
  ports: SessionPorts,
  known: SessionFoundation,
  records: SessionRecords,
): Judging {
  const { store, analysis, challengeActions, tally, pack, origin, now } = ports
  const { accounts, audit, captures, deliveries, events, recognition, signatures, verifications } = known
  const { sessions, evidenceRecords, passkeys, pictureMemory, filmMemory } = records
  const evidence = createEvidence({
    records: evidenceRecords,
    blobs: ports.blobs,
    now,
    onLost(error) {
      tally.evidenceLost()
      ports.onEvidenceLost(error)
    },
  })
  const analyseFrames = createAnalyseFrames(analysis, pictureMemory, challengeActions)
  const analyseFilm = createAnalyseFilm(analysis, filmMemory)
  const handedIn = createHandedIn({
    ...ports,
    intakes: records.intakes,
    analyseFrames,
    analyseFilm,
    evidence,
  })
  const passkeyOffers = createPasskeyOffers({ passkeys, pack, origin, now })
  const commitOutcome = createCommitOutcome({
    ...records,
    accounts,
    evidence,
    audit,
    captures,
    prepareEnd: createPrepareEnd(events, deliveries, now),
    passkeyOffers,
    handedIn: handedIn.pictures,
    signatures,
    tally,
    now,
  })
  const analyseSubmission = createAnalyseSubmission(analyseFrames, analyseFilm)
  const mutex = createKeyedMutex()
  const submit = createSubmit({
    store,
    sessions,
    events,
    analyseSubmission,
    films: filmMemory,
    findSimilarVisits: createFindSimilarVisits({ ...records, store, accounts, pack, now }),
    collections: recognition.access,
    verifications,
    commitOutcome,
    mutex,
    now,
  })
  const expire = createExpire(store, commitOutcome)
  return { submit, expire, analyseSubmission, evidence, passkeyOffers, handedIn, mutex }
}
