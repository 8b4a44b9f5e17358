import { randomInt } from 'node:crypto'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import { busy } from '#server/features/sessions/access/refusals.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import { undoneWithinMilliseconds } from '#server/features/sessions/records/evidence-limits.ts'
import {
  decided,
  type EvidenceRecords,
  type SessionKey,
} from '#server/features/sessions/records/evidence-records.ts'
import type { ReviewCounts } from '#server/features/sessions/records/review-counts.ts'
import {
  retentionInMilliseconds,
  type SecondOpinion,
  type SessionRecord,
} from '#server/features/sessions/records/session-record.ts'
import { digestOfSession, type SessionRow } from '#server/features/sessions/records/session-row.ts'
import type { SessionRows } from '#server/features/sessions/records/session-rows.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { type Transaction, transact } from '#server/platform/store/transaction.ts'
import { pageLimit } from '#shared/contract/paging.ts'
import type { Review } from '#shared/contract/sessions/session-result.ts'
import { Problem } from '#shared/problem.ts'
import { changeEvidence } from './change-evidence.ts'

/** The sample of reviews that a second reviewer decides too, in the commits of the reviews. */
export interface OpinionSample {
  /** True if the session waits for a second opinion, or is drawn for one by this review. */
  isDrawn(transaction: Transaction, record: SessionRecord): Promise<boolean>
  /** Lets the session wait until a time in milliseconds since 1970, but not beyond its result. */
  await(transaction: Transaction, record: SessionRecord, until: number | undefined): void
  /** True if it still waits after a review was withdrawn. Without any review left, it waits no longer. */
  isLeft(transaction: Transaction, whose: SessionKey, left: Review | null): Promise<boolean>
}

/** Opinions of second reviewers. [Note: Second opinions change nothing] They only count how often reviewers agree. */
export interface SecondOpinions {
  readonly sample: OpinionSample
  /** Up to 100 sessions that wait for this reviewer, in the order of their random ids. */
  waiting(accountId: string, by: string): Promise<SessionRow[]>
  /** @throws {Problem} 409 if the session does not wait for this reviewer */
  give(whose: SessionKey, opinion: Pick<Review, 'decision' | 'by'>): Promise<SecondOpinion['given']>
}

const mostListed = pageLimit.maximum

interface Dependencies {
  readonly store: Store
  readonly accounts: Pick<Accounts, 'find'>
  readonly readSession: ReadSession
  readonly sessions: Pick<SessionStore, 'save'>
  readonly sessionRows: Pick<SessionRows, 'read'>
  readonly evidenceRecords: Pick<EvidenceRecords, 'read' | 'write'>
  readonly evidence: Pick<Evidence, 'removeLater'>
  readonly reviewCounts: Pick<ReviewCounts, 'countOpinion'>
  readonly now: Clock
}

/** Names a session by its digest, which says nothing about the person. */
interface Waiting {
  readonly session: string
}

export function createSecondOpinions(services: Dependencies): SecondOpinions {
  const { store, accounts, readSession, sessions, sessionRows, evidenceRecords, evidence, now } = services
  const table = createTable<Waiting>(store, 'second-opinion')
  const isWaiting = async (transaction: Transaction, { accountId, sessionId }: SessionKey) =>
    (await transaction.read(table, accountId, sessionId)) !== undefined

  const drop = (transaction: Transaction, { accountId, sessionId }: SessionKey) =>
    transaction.put(table, accountId, sessionId, undefined)

  const sample: OpinionSample = {
    async isDrawn(transaction, record) {
      if (record.secondOpinion !== undefined) return false
      if (await isWaiting(transaction, record)) return true
      const account = await accounts.find(record.accountId)
      return randomInt(100) < (account?.secondOpinionPercent ?? 0)
    },
    await(transaction, { accountId, sessionId, created }, until = Number.POSITIVE_INFINITY) {
      const end = Math.min(until, created + retentionInMilliseconds)
      const seconds = Math.max(1, (end - now()) / 1000)
      transaction.put(table, accountId, sessionId, { session: digestOfSession(sessionId) }, seconds)
    },
    async isLeft(transaction, whose, left) {
      if (left === null) drop(transaction, whose)
      return left !== null && isWaiting(transaction, whose)
    },
  }

  async function give(
    transaction: Transaction,
    whose: SessionKey,
    { decision, by }: Pick<Review, 'decision' | 'by'>,
  ) {
    const read = await readSession(whose)
    const { review } = read.value
    if (review === null || review.by === by || !(await isWaiting(transaction, whose))) throw notWanted()
    const given = { decision, by, givenAt: new Date(now()).toISOString() }
    const secondOpinion = { given, about: { decision: review.decision, by: review.by } }
    await changeEvidence(evidenceRecords, transaction, whose, (kept) => decided(kept, now()))
    drop(transaction, whose)
    transaction.write(services.reviewCounts.countOpinion(whose.accountId, secondOpinion, 1))
    sessions.save(transaction, read, { ...read.value, secondOpinion })
    return given
  }

  return {
    sample,
    async waiting(accountId, by) {
      const rows: SessionRow[] = []
      for await (const { session } of table.listReadable(accountId)) {
        const row = await sessionRows.read(accountId, session)
        const decider = row?.review?.by ?? by
        if (row !== undefined && decider !== by) rows.push(row)
        if (rows.length >= mostListed) break
      }
      return rows
    },
    async give(whose, opinion) {
      const given = await transact(store, (transaction) => give(transaction, whose, opinion), busy)
      evidence.removeLater(whose, undoneWithinMilliseconds)
      return given
    },
  }
}

function notWanted(): Problem {
  return new Problem(
    'second_opinion_not_wanted',
    'The session does not wait for your second opinion. Load the list again.',
  )
}
