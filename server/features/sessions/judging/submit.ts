import { randomUUID } from 'node:crypto'
import type { Observation } from '#models/rules/observation.ts'
import {
  type CollectionAccess,
  type PersonQuestion,
  recognisePerson,
} from '#server/features/recognition/recognition.ts'
import type { SessionRead } from '#server/features/sessions/access/session-reader.ts'
import { faceRecognitionOf } from '#server/features/sessions/access/session-rules.ts'
import { savePictures } from '#server/features/sessions/access/session-start.ts'
import type { AnalyseSubmission } from '#server/features/sessions/pictures/analyse-submission.ts'
import type { FilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import type { FinalSubmission } from '#server/features/sessions/pictures/submission.ts'
import { notRecognised, type Recognition } from '#server/features/sessions/records/recognition.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import { sameBytes } from '#server/platform/store/same-bytes.ts'
import type { Awaitable, Clock, Store } from '#server/platform/store/store.ts'
import { beginTransaction } from '#server/platform/store/transaction.ts'
import type { KeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import type { CommitOutcome } from './commit-outcome.ts'
import type { Decision } from './decision.ts'
import { deniedInTries, failsDenied, findDenied } from './find-denied.ts'
import type { FindSimilarVisits } from './find-similar-visits.ts'
import { judgeSubmission } from './judge-submission.ts'

/** Time limit for judging a session. A process that takes longer counts as dead. */
const judgedWithinInMilliseconds = 30_000
const lookAgainAfterInMilliseconds = 250

/** [Note: No portrait, no pass] If a face had to be recognised and none was good enough, the session fails. */
const noPortrait: Recognition = { ...notRecognised, result: 'Fail', reason: 'lowQuality' }

/** Submits to a session: a page, a kiosk, or an integrator that completes a test. */
export interface Submitter<Answer> {
  /** Submissions with the same key are decided one at a time. */
  readonly key: string
  readonly busy: () => Problem
  /** Returns the answer directly if it is known without a session. */
  load(): Promise<SubmissionCall<Answer> | { readonly known: Answer }>
}

/** A submitter's session, and the steps that differ between submitters. */
export interface SubmissionCall<Answer> {
  /** @throws {Problem} if the session does not exist */
  read(): Promise<SessionRead>
  /**
   * Returns null if there is nothing left to decide.
   * @throws {Problem} if the session is not the caller's, or the submission does not fit it
   */
  admit(record: SessionRecord, receivedAt: number): Awaitable<FinalSubmission | null>
  /** The problem to report if analysis finds that a picture cannot be decoded; defaults to the decoding error. */
  refuseUnreadable?(fault: Problem): Promise<Problem>
  answer(decided: SessionRecord): Answer
}

/** Decides a session, or returns the earlier decision. */
export type Submit = <Answer>(submitter: Submitter<Answer>) => Promise<Answer>

export interface SubmitServices {
  readonly store: Pick<Store, 'commit'>
  readonly sessions: SessionStore
  readonly analyseSubmission: AnalyseSubmission
  readonly films: Pick<FilmMemory, 'compare'>
  readonly findSimilarVisits: FindSimilarVisits
  readonly collections: Pick<CollectionAccess, 'use' | 'ahead'>
  readonly verifications: Pick<Verifications, 'existence'>
  readonly commitOutcome: CommitOutcome
  readonly events: Pick<Events, 'prepare'>
  readonly mutex: KeyedMutex
  readonly now: Clock
}

/** Identifies this request and the time when it arrived. */
interface RequestStamp {
  readonly by: string
  readonly receivedAt: number
}

/**
 * The only way from submitted pictures to a result; the first submission decides. Load, admit, analyse, compare, judge,
 * recognise, conclude, with two commits: one that marks the session as being judged, and one with the outcome.
 *
 * [Note: Judged once] A submission that loses the race to commit its outcome, for example to another face in the
 * collection, repeats the recognition. Pictures are analysed again only if the session itself has changed.
 */
export function createSubmit(services: SubmitServices): Submit {
  return (submitter) => {
    const stamp = { by: randomUUID(), receivedAt: services.now() }
    let decision: Decision | undefined

    async function decide() {
      const call = await submitter.load()
      if ('known' in call) return call.known
      const session = await unjudged(services, call.read, stamp)
      if (decision === undefined || !isSame(decision.session, session)) {
        const submission = await call.admit(session.value, stamp.receivedAt)
        if (submission === null) return call.answer(session.value)
        const marked = await mark(services, session, submission, stamp)
        if (marked === undefined) return undefined
        decision = await judge(services, call, { session: marked, submission, receivedAt: stamp.receivedAt })
      }
      const decided = await conclude(services, decision)
      return decided && call.answer(decided)
    }

    return services.mutex.runExclusive(submitter.key, () => retryOnConflict(decide, submitter.busy))
  }
}

function isSame({ guard }: SessionRead, other: SessionRead): boolean {
  return sameBytes(guard.value, other.guard.value)
}

/**
 * Load. [Note: Judged in one place] A page that did not receive its answer submits again, perhaps to another process. That
 * process waits for the result instead of judging concurrently, because both would then find the record changed.
 */
async function unjudged(
  { now }: SubmitServices,
  read: () => Promise<SessionRead>,
  { by }: RequestStamp,
): Promise<SessionRead> {
  for (;;) {
    const session = await read()
    const { judging, outcome } = session.value
    const isElsewhere = judging?.by !== by && (judging?.until ?? 0) > now()
    if (outcome !== null || !isElsewhere) return session
    await new Promise((over) => setTimeout(over, lookAgainAfterInMilliseconds))
  }
}

/** Admit: marks the session as being judged; undefined if another request has changed it since it was read. */
async function mark(
  services: SubmitServices,
  before: SessionRead,
  submission: FinalSubmission,
  { by }: RequestStamp,
): Promise<SessionRead | undefined> {
  const transaction = beginTransaction(services.store)
  if (submission.kind === 'try') submission.early.hold(transaction)
  const judging = { by, until: services.now() + judgedWithinInMilliseconds }
  const marked: SessionRecord = { ...submission.record, state: 'Submitted', judging }
  const hasPictures = submission.kind === 'test' ? submission.hasPictures : submission.pictures.length > 0
  const { guard, send } = await savePictures(services, transaction, { before, record: marked, hasPictures })
  if (!(await transaction.commit())) return undefined
  send()
  return { value: marked, guard }
}

/** A submission to a session that is marked as being judged. */
interface MarkedSubmission {
  readonly session: SessionRead
  readonly submission: FinalSubmission
  readonly receivedAt: number
}

/** Analyse, compare, judge. If this fails, any process may try again immediately. */
async function judge(
  services: SubmitServices,
  call: SubmissionCall<unknown>,
  marked: MarkedSubmission,
): Promise<Decision> {
  const { session, submission } = marked
  try {
    const { record, seen } = await analyseAndCompare(services, marked)
    const judgement = judgeSubmission(submission, record, seen)
    return { session, submission, seen, judgement }
  } catch (error) {
    await services.sessions.replace(session, { ...session.value, judging: null })
    throw isUnreadable(error) ? ((await call.refuseUnreadable?.(error)) ?? error) : error
  }
}

async function analyseAndCompare(
  { analyseSubmission, films, findSimilarVisits }: SubmitServices,
  { session, submission, receivedAt }: MarkedSubmission,
): Promise<{ readonly record: SessionRecord; readonly seen: readonly Observation[] }> {
  if (submission.kind === 'test') return { record: session.value, seen: [] }
  const { seen, film } = await analyseSubmission(submission, session.value, receivedAt)
  const record = { ...session.value, trail: await films.compare(session, film) }
  // All visits at a kiosk have the same background, and the other kinds bring no pictures to compare.
  if (submission.kind !== 'try') return { record, seen }
  const found = await findSimilarVisits({ ...session, value: record }, [...record.observations, ...seen])
  return { record: { ...record, resembles: withThose(record.resembles ?? [], found) }, seen }
}

type Resemblances = NonNullable<SessionRecord['resembles']>

/** [Note: What an earlier try resembled stays] A person detected in a first try gives less away in the next one. */
function withThose(earlier: Resemblances, found: Resemblances): Resemblances {
  const isNew = ({ kind, sessionId }: Resemblances[number]) =>
    !earlier.some((one) => one.kind === kind && one.sessionId === sessionId)
  return [...earlier, ...found.filter(isNew)]
}

function isUnreadable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'unreadable_image'
}

/**
 * Recognise, conclude. If a collection is searched, this waits for the collection's turn, so that no other request in this
 * process adds a face between the search and the commit. Across processes, the guards ensure this. Undefined if the
 * session, the collection or the verification has changed since it was read.
 */
async function conclude(
  { store, collections, verifications, commitOutcome }: SubmitServices,
  { judgement, ...rest }: Decision,
): Promise<SessionRecord | undefined> {
  const record = { ...judgement.record, judging: null }
  const decision = { ...rest, judgement: { ...judgement, record } }
  const transaction = beginTransaction(store)
  const { accountId, verificationId } = record
  // [Note: A session ends with its verification] Without this guard, a face could recreate the collection of a
  // verification that is being deleted.
  const existence = verificationId === null ? undefined : await verifications.existence(verificationId)
  if (existence !== undefined) transaction.hold(existence)
  else if (verificationId !== null) return undefined
  const question = toRecognise(decision)
  const denial = isSearchable(decision) ? await findDenied(collections, record, judgement.verdict) : undefined
  const denied = deniedInTries(denial, record)
  if (denial?.match && failsDenied(record))
    return commitOutcome(transaction, decision, { ...refused, ...denied })
  if ('result' in question) return commitOutcome(transaction, decision, { ...question, ...denied })
  const { collectionId } = question
  const recognise = await collections.ahead(accountId, collectionId, (collection, writer) =>
    recognisePerson(collection, writer, question),
  )
  return collections.use(accountId, collectionId, async (collection, writer) => {
    const { writes: faces, guards, ...found } = await recognise(collection, writer)
    transaction.hold(...guards)
    const result = found.reason === null ? 'Pass' : 'Fail'
    return commitOutcome(transaction, { ...decision, faces }, { result, ...found, ...denied })
  })
}

const refused: Recognition = { ...notRecognised, result: 'Fail', reason: 'denied' }

/** [Note: A refusal stays] A person who was recognised and refused in an earlier try is not searched for again. */
function isSearchable({ submission: { kind }, judgement: { record, recognition } }: Decision): boolean {
  return recognition === undefined && kind !== 'end' && kind !== 'leave' && !record.before?.recognition
}

/** The query for the collection, or the recognition result if no query is needed. */
function toRecognise({ submission, judgement }: Decision): PersonQuestion | Recognition {
  const { record, verdict, recognition } = judgement
  if (recognition !== undefined) return recognition
  const before = submission.kind === 'end' ? null : (record.before?.recognition ?? null)
  if (before !== null) return before
  const type = faceRecognitionOf(record.settings.verifiers)
  if (type === 'Disabled' || verdict.reasons.length > 0) return notRecognised
  const { portrait, formerPortrait } = verdict
  const { collectionId } = record
  if (portrait === null || collectionId === null) return noPortrait
  const { externalId, enroll } = record.inputs
  return { collectionId, type, externalId, enroll, portrait, formerPortrait }
}
