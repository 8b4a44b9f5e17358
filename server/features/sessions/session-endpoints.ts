import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { DeliveryStore, Events } from '#server/features/webhooks/webhooks.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { ReadSession } from './access/session-reader.ts'
import { createCancelSession } from './endpoints/cancel-session.ts'
import { createGetEvidence } from './endpoints/get-evidence.ts'
import { createGetSessions } from './endpoints/get-sessions.ts'
import type { Evidence } from './evidence/evidence.ts'
import type { Expire } from './judging/commit-outcome.ts'
import { createSessionLists } from './listing/session-lists.ts'
import type { EvidenceRecords } from './records/evidence-records.ts'
import type { SessionHistory } from './records/session-history.ts'
import type { SessionRows } from './records/session-rows.ts'
import type { SessionStore } from './records/session-store.ts'
import type { UsageCounts } from './records/usage-counts.ts'
import { createGetSessionTimeline } from './results/timeline.ts'
import { createReviewSession, createUndoReview } from './reviewing/review.ts'
import { createGetUsage } from './usage/usage-report.ts'

/** The actions that operators take on finished sessions. */
export type Operators = HandlersOf<
  'configuration',
  | 'getSessions'
  | 'getSessionTimeline'
  | 'getEvidence'
  | 'cancelSession'
  | 'reviewSession'
  | 'undoReview'
  | 'getUsage'
>

interface Dependencies {
  readonly accounts: Pick<Accounts, 'find'>
  readonly verifications: Pick<Verifications, 'find'>
  readonly readSession: ReadSession
  readonly expire: Expire
  readonly store: Pick<Store, 'commit'>
  readonly sessions: Pick<SessionStore, 'save'>
  readonly sessionRows: SessionRows
  readonly sessionHistory: SessionHistory
  readonly usageCounts: UsageCounts
  readonly events: Pick<Events, 'prepare'>
  readonly deliveries: Pick<DeliveryStore, 'ofSession' | 'read' | 'remove'>
  readonly evidence: Pick<Evidence, 'read' | 'removeLater'>
  readonly evidenceRecords: EvidenceRecords
  readonly now: Clock
}

export function createOperators(services: Dependencies): Operators {
  const { accounts, verifications, readSession, expire, sessionRows: rows, now } = services
  const { sessionHistory: history } = services
  const { store, evidence, evidenceRecords } = services
  const lists = createSessionLists(rows, history, now)
  return {
    getSessions: createGetSessions({ accounts, lists, rows, history, verifications }),
    getSessionTimeline: createGetSessionTimeline(readSession, evidenceRecords),
    getEvidence: createGetEvidence({ store, readSession, evidence, records: evidenceRecords }),
    cancelSession: createCancelSession(readSession, expire),
    reviewSession: createReviewSession(services),
    undoReview: createUndoReview(services),
    getUsage: createGetUsage(services.usageCounts),
  }
}
