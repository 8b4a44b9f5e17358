import { randomUUID } from 'node:crypto'
import type { Observation } from '#models/rules/observation.ts'
import type { Verdict } from '#models/rules/verdict.ts'
import type { SessionRead } from '#server/features/sessions/access.ts'
import type { FindSimilarVisits } from '#server/features/sessions/earlier/find-similar-visits.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import { outcomeAsked, testVerdict } from '#server/features/sessions/testing/test-verdict.ts'
import type { Events } from '#server/features/webhooks/events.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { KeyedMutex } from '#shared/concurrency/keyed-mutex.ts'
import { retryOnConflict } from '#shared/concurrency/retry-on-conflict.ts'
import type { Problem } from '#shared/problem.ts'
import type { AnalyseSubmission, Submitted } from './analyse-submission.ts'
import { replaceBegun } from './beginning.ts'
import type { Completion, HowJudged } from './completion.ts'

/** How long whoever judges a session may take; an end after which it is taken for dead. */
const judgedWithinInMilliseconds = 30_000
const lookAgainAfterInMilliseconds = 250

interface Judged {
  readonly record: SessionRecord
  readonly verdict: Verdict
  readonly how?: HowJudged
}

interface HandedIn extends Submitted {
  readonly record: SessionRecord
  /** Whether a session begins with it; as it has pictures when absent. */
  readonly begins?: boolean
  /** Whether the visit is kept to compare later ones with. */
  readonly isRemembered: boolean
}

/** What differs between a page that submits its session and a kiosk that sends a capture. */
export interface Submission {
  read(): Promise<SessionRead>
  /** @throws {Problem} where the session, also one that is over, is none of the caller's */
  refuse?(record: SessionRecord): void
  /** Whether this submission was answered before, and the session goes on. */
  isAnswered?(record: SessionRecord): boolean
  /** The session with what came beside the pictures, and the pictures. @throws {Problem} where they are not acceptable */
  handIn(record: SessionRecord, receivedAt: number): HandedIn
  /** Pure: the verdict, and the session as it went until then. The whole film is in the record. */
  judge(record: SessionRecord, seen: readonly Observation[]): Judged
}

/** The session as it was decided, by this submission or before; undefined where somebody else changed it meanwhile. */
export type Decide = (submission: Submission) => Promise<SessionRecord | undefined>

/** Lets `attempt` decide a session, one at a time for each `turn`, and again where it lost against another process. */
export type SubmitInTurn = <Answer>(
  turn: string,
  busy: () => Problem,
  attempt: (decide: Decide) => Promise<Answer | undefined>,
) => Promise<Answer>

interface Dependencies {
  sessions: SessionStore
  completion: Pick<Completion, 'complete'>
  analyseSubmission: AnalyseSubmission
  events: Pick<Events, 'prepare'>
  findSimilarVisits: FindSimilarVisits
  mutex: KeyedMutex
  now: Clock
}

/** The one way in which pictures that were handed in become a result. The first submission decides. */
export function createSubmitInTurn(services: Dependencies): SubmitInTurn {
  const { sessions, completion, mutex, now } = services

  /**
   * [Note: Judged in one place] A page whose answer was lost submits again, perhaps to another process: that one waits
   * for the result instead of judging beside the first, or neither would be left as it was read.
   */
  async function unjudged(readSession: Submission['read'], by: string): Promise<SessionRead> {
    for (;;) {
      const read = await readSession()
      const { judging, outcome } = read.value
      const isElsewhere = judging?.by !== by && (judging?.until ?? 0) > now()
      if (outcome !== null || !isElsewhere) return read
      await new Promise((over) => setTimeout(over, lookAgainAfterInMilliseconds))
    }
  }

  /** Tells others that the session is being judged; undefined where somebody else changed it since it was read. */
  async function mark(
    read: SessionRead,
    { record, pictures, begins = pictures.length > 0 }: HandedIn,
    by: string,
  ): Promise<SessionRead | undefined> {
    const judging = { by, until: now() + judgedWithinInMilliseconds }
    const marked: SessionRecord = { ...record, state: 'Submitted', judging }
    if (!(await replaceBegun(services, read, marked, begins))) return undefined
    return sessions.read(record.accountId, record.sessionId)
  }

  /** What could not be judged may be tried anew at once, anywhere. */
  async function release<T>(marked: SessionRead, judge: () => Promise<T>): Promise<T> {
    try {
      return await judge()
    } catch (error) {
      await sessions.replace(marked, { ...marked.value, judging: null })
      throw error
    }
  }

  async function decide(submission: Submission, by: string, receivedAt: number) {
    const read = await unjudged(submission.read, by)
    submission.refuse?.(read.value)
    if (read.value.outcome !== null || submission.isAnswered?.(read.value)) return read.value
    const handedIn = submission.handIn(read.value, receivedAt)
    const marked = await mark(read, handedIn, by)
    if (marked === undefined) return undefined
    const { record, verdict, how } = await release(marked, () =>
      judge(services, submission, { handedIn, marked, receivedAt }),
    )
    return completion.complete(marked, { ...record, judging: null }, verdict, how)
  }

  return (turn, busy, attempt) => {
    const by = randomUUID()
    const receivedAt = now()
    return mutex.runExclusive(turn, () =>
      retryOnConflict(() => attempt((submission) => decide(submission, by, receivedAt)), busy),
    )
  }
}

interface ToJudge {
  readonly handedIn: HandedIn
  readonly marked: SessionRead
  readonly receivedAt: number
}

/** Looks at what came, compares it with earlier visits where it is to be remembered, and judges. */
async function judge(
  { analyseSubmission, findSimilarVisits }: Pick<Dependencies, 'analyseSubmission' | 'findSimilarVisits'>,
  submission: Submission,
  { handedIn, marked, receivedAt }: ToJudge,
): Promise<Judged> {
  const asked = outcomeAsked(marked.value)
  if (asked !== undefined) {
    const { verdict, recognition } = testVerdict(marked.value, asked)
    return { record: marked.value, verdict, how: { recognition } }
  }
  const { seen, film } = await analyseSubmission(handedIn, marked.value, receivedAt)
  const value = { ...marked.value, trail: film }
  if (!handedIn.isRemembered) return submission.judge(value, seen)
  const resembles = await findSimilarVisits({ ...marked, value }, [...value.observations, ...seen])
  return submission.judge({ ...value, resembles }, seen)
}
