import { randomUUID } from 'node:crypto'
import type { Observation } from '#models/rules/observation.ts'
import { askGallery, type CollectionAccess, type Question } from '#server/features/recognition/recognition.ts'
import type { SessionRead } from '#server/features/sessions/access.ts'
import type { FindSimilarVisits } from '#server/features/sessions/earlier/find-similar-visits.ts'
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

/** Time limit for judging a session; after it, the process that judges counts as dead. */
const judgedWithinInMilliseconds = 30_000
const lookAgainAfterInMilliseconds = 250

/** [Note: No portrait, no pass] If a face had to be recognised and none was good enough, the session fails. */
const noPortrait: Recognition = { ...notRecognised, result: 'Fail', reason: 'lowQuality' }

/** A submission to judge. */
export interface Admitted extends Submitted {
  /** The session, including the data that accompanied the pictures. */
  readonly record: SessionRecord
  /** True if the session begins with it; by default, if it contains pictures. */
  readonly begins?: boolean
  /** True if the visit is stored for comparison with later ones. */
  readonly isRemembered: boolean
  /** For a test: true if the page can offer another try. */
  readonly acceptsRetry?: boolean
  /** Nothing new is judged; the last verdict becomes final. */
  readonly isLeft?: boolean
}

/** The submitted data, and its session. */
interface Loaded<Given> {
  readonly given: Given
  /** @throws {Problem} if the session does not exist */
  read(): Promise<SessionRead>
}

/** The steps in which the submission of a page, a kiosk's capture and the end of a test differ. */
export interface Submission<Given, Answer> {
  /** Submissions with the same key are decided one at a time. */
  readonly key: string
  readonly busy: () => Problem
  /** Returns the answer instead if it is known without a session. */
  load(): Promise<Loaded<Given> | { readonly answer: Answer }>
  /**
   * Null if there is nothing to decide because it was decided before.
   * @throws {Problem} if the session is not the caller's, or the submission does not fit it
   */
  admit(given: Given, record: SessionRecord, receivedAt: number): Awaitable<Admitted | null>
  /** Pure: the verdict, and the session in its state until then. The record contains the whole film. */
  judge(given: Given, record: SessionRecord, seen: readonly Observation[]): Judged
  /** The problem to report if a picture cannot be decoded, which is discovered during analysis; by default that fault itself. */
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

/** Identifies this submission, and the time of its arrival. */
interface Mine {
  readonly by: string
  readonly receivedAt: number
}

/** A judged session, with the marked record from before. */
interface Pending {
  readonly marked: SessionRead
  readonly judged: Judged
}

/**
 * The only way from submitted pictures to a result; the first submission decides. Load, admit, analyse, compare, judge,
 * recognise, conclude, with two commits: one that marks who judges, and one with the outcome.
 *
 * [Note: Judged once] A submission that loses the race for the outcome, for example against another face of the
 * collection, repeats recognition. Pictures are analysed again only if the session itself was changed.
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
 * Load. [Note: Judged in one place] A page whose answer was lost submits again, perhaps to another process. That process
 * waits for the result instead of judging concurrently, since otherwise neither would find the record unchanged.
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
  { record, pictures, begins: hasPictures = pictures.length > 0 }: Admitted,
  { by }: Mine,
): Promise<SessionRead | undefined> {
  const transaction = beginTransaction(services.store)
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

/** Analyse, compare, judge. After a failure it may be tried again immediately, by any process. */
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

/** [Note: What an earlier try resembled stays] A person who was detected in a first try shows less in the next one. */
function withThose(earlier: Resembled, found: Resembled): Resembled {
  const isNew = ({ kind, sessionId }: Resembled[number]) =>
    !earlier.some((one) => one.kind === kind && one.sessionId === sessionId)
  return [...earlier, ...found.filter(isNew)]
}

function isUnreadable(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'unreadable_image'
}

/**
 * Recognise, conclude: in the collection's turn if one is searched, so that no other request of this process adds a face
 * between the search and the commit; across processes the guards ensure it. Undefined if the session, the collection or
 * the verification has changed since it was read.
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
  if ('result' in question) return commitOutcome(transaction, deciding, question)
  // The result of this early search is dropped. It only shortens the search under the lock if servers store the faces.
  await collections.ahead(accountId, question.collectionId, (collection) => askGallery(collection, question))
  return collections.use(accountId, question.collectionId, async (collection) => {
    const { writes: faces, guards, ...found } = await askGallery(collection, question)
    transaction.hold(...guards)
    const result = found.reason === null ? 'Pass' : 'Fail'
    return commitOutcome(transaction, { ...deciding, faces }, { result, ...found })
  })
}

/** The query for the collection, or the recognition result if none is needed. */
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
