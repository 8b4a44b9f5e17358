import { randomUUID } from 'node:crypto'
import type { Observation } from '#models/rules/observation.ts'
import { askGallery, type CollectionAccess, type Question } from '#server/features/recognition/recognition.ts'
import type { SessionRead } from '#server/features/sessions/access.ts'
import { failsDenied, findDenied } from '#server/features/sessions/denied/find-denied.ts'
import type { FindSimilarVisits } from '#server/features/sessions/earlier/find-similar-visits.ts'
import type { HandedIn } from '#server/features/sessions/handed-in/handed-in.ts'
import type { FilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { notRecognised, type Recognition } from '#server/features/sessions/results/recognition.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import { judgeTest, outcomeAsked } from '#server/features/sessions/testing/test-verdict.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import { sameBytes } from '#server/platform/store/same-bytes.ts'
import type { Awaitable, Clock, Store } from '#server/platform/store/store.ts'
import { beginTransaction } from '#server/platform/store/transaction.ts'
import type { KeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import { Problem } from '#shared/problem.ts'
import type { AnalyseSubmission, Submitted } from './analyse-submission.ts'
import type { CommitOutcome } from './commit-outcome.ts'
import type { Judged } from './decide-outcome.ts'
import { faceRecognitionOf } from './rules.ts'
import { savePictures } from './session-start.ts'

/** Time limit for judging a session. A process that takes longer counts as dead. */
const judgedWithinInMilliseconds = 30_000
const lookAgainAfterInMilliseconds = 250

/** [Note: No portrait, no pass] If a face had to be recognised and none was good enough, the session fails. */
const noPortrait: Recognition = { ...notRecognised, result: 'Fail', reason: 'lowQuality' }

/** A submission to judge. */
export interface Admitted extends Submitted {
  /** The session, including the data sent with the pictures. */
  readonly record: SessionRecord
  /** True if this submission begins the session; by default, if it contains pictures. */
  readonly begins?: boolean
  /** True if the visit is stored for comparison with later visits. */
  readonly isRemembered: boolean
  /** For a test: true if the page can offer another try. */
  readonly acceptsRetry?: boolean
  /** If true, nothing new is judged and the last verdict becomes final. */
  readonly isLeft?: boolean
  /** Early pictures to judge along with this submission; defaults to none. */
  readonly handedIn?: HandedIn
}

/** The submitted data and its session. */
interface Loaded<Given> {
  readonly given: Given
  /** @throws {Problem} if the session does not exist */
  read(): Promise<SessionRead>
}

/** The steps that differ between a page's submission, a kiosk's capture and the end of a test. */
export interface Submission<Given, Answer> {
  /** Submissions with the same key are decided one at a time. */
  readonly key: string
  readonly busy: () => Problem
  /** Returns the answer directly if it is known without a session. */
  load(): Promise<Loaded<Given> | { readonly answer: Answer }>
  /**
   * Returns null if there is nothing left to decide.
   * @throws {Problem} if the session is not the caller's, or the submission does not fit it
   */
  admit(given: Given, record: SessionRecord, receivedAt: number): Awaitable<Admitted | null>
  /** Returns the verdict and the session's state before the decision. Pure. The record contains the whole film. */
  judge(given: Given, record: SessionRecord, seen: readonly Observation[]): Judged
  /** The problem to report if analysis finds that a picture cannot be decoded; defaults to the decoding error. */
  refuseUnreadable?(given: Given, fault: Problem): Promise<Problem>
  answer(given: Given, decided: SessionRecord): Answer
}

/** Decides a session, or returns the earlier decision. */
export type Submit = <Given, Answer>(submission: Submission<Given, Answer>) => Promise<Answer>

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

/** Identifies this submission and the time when it arrived. */
interface Mine {
  readonly by: string
  readonly receivedAt: number
}

/** A judged session, with the record as it was when marked. */
interface Pending {
  readonly marked: SessionRead
  readonly judged: Judged
}

/**
 * The only way from submitted pictures to a result; the first submission decides. Load, admit, analyse, compare, judge,
 * recognise, conclude, with two commits: one that marks the session as being judged, and one with the outcome.
 *
 * [Note: Judged once] A submission that loses the race to commit its outcome, for example to another face in the
 * collection, repeats the recognition. Pictures are analysed again only if the session itself has changed.
 */
export function createSubmit(services: SubmitServices): Submit {
  return (submission) => {
    const mine = { by: randomUUID(), receivedAt: services.now() }
    let pending: Pending | undefined

    async function decide() {
      const loaded = await submission.load()
      if ('answer' in loaded) return loaded.answer
      const { given } = loaded
      const session = await unjudged(services, loaded.read, mine)
      if (pending === undefined || !isSame(pending.marked, session)) {
        const admitted = await submission.admit(given, session.value, mine.receivedAt)
        if (admitted === null) return submission.answer(given, session.value)
        const marked = await mark(services, session, admitted, mine)
        if (marked === undefined) return undefined
        const judged = await judge(services, submission, { given, admitted, marked, mine })
        pending = { marked, judged }
      }
      const decided = await conclude(services, pending)
      return decided && submission.answer(given, decided)
    }

    return services.mutex.runExclusive(submission.key, () => retryOnConflict(decide, submission.busy))
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
  { by }: Mine,
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
  { record, pictures, begins: hasPictures = pictures.length > 0, handedIn }: Admitted,
  { by }: Mine,
): Promise<SessionRead | undefined> {
  const transaction = beginTransaction(services.store)
  handedIn?.hold(transaction)
  const judging = { by, until: services.now() + judgedWithinInMilliseconds }
  const marked: SessionRecord = { ...record, state: 'Submitted', judging }
  const { guard, send } = await savePictures(services, transaction, { before, record: marked, hasPictures })
  if (!(await transaction.commit())) return undefined
  send()
  return { value: marked, guard }
}

interface ToJudge<Given> {
  readonly given: Given
  readonly admitted: Admitted
  readonly marked: SessionRead
  readonly mine: Mine
}

/** Analyse, compare, judge. If this fails, any process may try again immediately. */
async function judge<Given>(
  services: SubmitServices,
  submission: Submission<Given, unknown>,
  toJudge: ToJudge<Given>,
): Promise<Judged> {
  const { given, marked, admitted } = toJudge
  try {
    const asked = admitted.isLeft ? undefined : outcomeAsked(marked.value)
    if (asked !== undefined) return judgeTest(marked.value, asked, admitted)
    const { record, seen } = await analyseAndCompare(services, toJudge)
    const { pictures, trail } = admitted
    return { ...submission.judge(given, record, seen), brought: { pictures, film: trail, seen } }
  } catch (error) {
    await services.sessions.replace(marked, { ...marked.value, judging: null })
    throw isUnreadable(error) ? ((await submission.refuseUnreadable?.(given, error)) ?? error) : error
  }
}

async function analyseAndCompare<Given>(
  { analyseSubmission, films, findSimilarVisits }: SubmitServices,
  { admitted, marked, mine }: ToJudge<Given>,
): Promise<{ readonly record: SessionRecord; readonly seen: readonly Observation[] }> {
  const { seen, film } = await analyseSubmission(admitted, marked.value, mine.receivedAt)
  const record = { ...marked.value, trail: await films.compare(marked, film) }
  if (!admitted.isRemembered) return { record, seen }
  const found = await findSimilarVisits({ ...marked, value: record }, [...record.observations, ...seen])
  return { record: { ...record, resembles: withThose(record.resembles ?? [], found) }, seen }
}

type Resembled = NonNullable<SessionRecord['resembles']>

/** [Note: What an earlier try resembled stays] A person detected in a first try gives less away in the next one. */
function withThose(earlier: Resembled, found: Resembled): Resembled {
  const isNew = ({ kind, sessionId }: Resembled[number]) =>
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
  { marked, judged }: Pending,
): Promise<SessionRecord | undefined> {
  const record = { ...judged.record, judging: null }
  const deciding = { ...judged, record, before: marked, state: 'Completed' } as const
  const transaction = beginTransaction(store)
  const { accountId, verificationId } = record
  // [Note: A session ends with its verification] Without this guard, a face could recreate the collection of a
  // verification that is being deleted.
  const existence = verificationId === null ? undefined : await verifications.existence(verificationId)
  if (existence !== undefined) transaction.hold(existence)
  else if (verificationId !== null) return undefined
  const question = toRecognise(deciding)
  const denial = isSearchable(deciding) ? await findDenied(collections, record, deciding.verdict) : undefined
  const denied = denial && { denied: denial }
  if (denial?.match && failsDenied(record))
    return commitOutcome(transaction, deciding, { ...refused, ...denied })
  if ('result' in question) return commitOutcome(transaction, deciding, { ...question, ...denied })
  // This early search's result is discarded. It only shortens the search under the lock if servers store the faces.
  await collections.ahead(accountId, question.collectionId, (collection) => askGallery(collection, question))
  return collections.use(accountId, question.collectionId, async (collection) => {
    const { writes: faces, guards, ...found } = await askGallery(collection, question)
    transaction.hold(...guards)
    const result = found.reason === null ? 'Pass' : 'Fail'
    return commitOutcome(transaction, { ...deciding, faces }, { result, ...found, ...denied })
  })
}

const refused: Recognition = { ...notRecognised, result: 'Fail', reason: 'denied' }

/** [Note: A refusal stays] A person who was recognised and refused in an earlier try is not searched for again. */
function isSearchable({ record, isEnded = false, isLeft = false, recognition }: Judged): boolean {
  return recognition === undefined && !isEnded && !isLeft && (record.before?.recognition ?? null) === null
}

/** The query for the collection, or the recognition result if no query is needed. */
function toRecognise({ record, verdict, isEnded = false, recognition }: Judged): Question | Recognition {
  if (recognition !== undefined) return recognition
  const before = isEnded ? null : (record.before?.recognition ?? null)
  if (before !== null) return before
  const type = faceRecognitionOf(record.settings.verifiers)
  if (type === 'Disabled' || verdict.reasons.length > 0) return notRecognised
  const { portrait, formerPortrait } = verdict
  const { collectionId } = record
  if (portrait === null || collectionId === null) return noPortrait
  const { externalId, enroll } = record.inputs
  return { collectionId, type, externalId, enroll, portrait, formerPortrait }
}
