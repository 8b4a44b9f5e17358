import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { DeliveryStore, Events } from '#server/features/webhooks/webhooks.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { ReadSession } from './access.ts'
import type { AddedFaces } from './denied/denied-faces.ts'
import { createDenyFace } from './denied/deny-face.ts'
import { createGetSimilarSessions } from './earlier/get-similar-sessions.ts'
import type { SessionFaces } from './earlier/session-faces.ts'
import type { Evidence } from './evidence/evidence.ts'
import type { EvidenceRecords } from './evidence/evidence-records.ts'
import { createGetEvidence } from './evidence/get-evidence.ts'
import type { Expire } from './judging/commit-outcome.ts'
import { createGetSessions } from './listing/get-sessions.ts'
import type { SessionHistory } from './listing/history/session-history.ts'
import type { SessionLists } from './listing/session-lists.ts'
import type { SessionRows } from './listing/session-rows.ts'
import { createCancelSession } from './results/cancelling.ts'
import { createReviewSession, createUndoReview } from './results/reviewing.ts'
import { createGetSessionTimeline } from './results/timeline.ts'
import { createAssignReview } from './reviewing/assign-review.ts'
import type { ReviewCounts } from './reviewing/review-counts.ts'
import type { SessionStore } from './session-store.ts'
import { createGetUsage } from './usage/get-usage.ts'
import type { UsageCounts } from './usage/usage-counts.ts'

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
  | 'getSimilarSessions'
  | 'denyFace'
  | 'assignReview'
  | 'getReviewCounts'
>

interface Dependencies {
  readonly accounts: Pick<Accounts, 'find'>
  readonly verifications: Pick<Verifications, 'find'>
  readonly readSession: ReadSession
  readonly expire: Expire
  readonly store: Pick<Store, 'commit'>
  readonly sessions: Pick<SessionStore, 'save' | 'replace'>
  readonly reviewCounts: ReviewCounts
  readonly lists: SessionLists
  readonly sessionRows: SessionRows
  readonly sessionHistory: SessionHistory
  readonly usageCounts: UsageCounts
  readonly sessionFaces: Pick<SessionFaces, 'read' | 'list'>
  readonly addedFaces: Pick<AddedFaces, 'write'>
  readonly access: Pick<CollectionAccess, 'change'>
  readonly events: Pick<Events, 'prepare' | 'receivers'>
  readonly deliveries: Pick<DeliveryStore, 'ofSession' | 'read' | 'remove'>
  readonly evidence: Pick<Evidence, 'read' | 'removeLater'>
  readonly evidenceRecords: EvidenceRecords
  readonly now: Clock
}

export function createOperators(services: Dependencies): Operators {
  const { accounts, verifications, readSession, expire, lists, sessionRows: rows } = services
  const { sessionHistory: history, reviewCounts } = services
  const { store, evidence, evidenceRecords } = services
  return {
    getSessions: createGetSessions({ accounts, lists, rows, history, verifications }),
    getSessionTimeline: createGetSessionTimeline({ ...services, evidence: evidenceRecords }),
    getEvidence: createGetEvidence({ store, readSession, evidence, records: evidenceRecords }),
    cancelSession: createCancelSession(readSession, expire),
    reviewSession: createReviewSession(services),
    undoReview: createUndoReview(services),
    getUsage: createGetUsage(services.usageCounts),
    getSimilarSessions: createGetSimilarSessions(readSession, services.sessionFaces),
    denyFace: createDenyFace(services),
    assignReview: createAssignReview(readSession, services.sessions),
    getReviewCounts: async ({ query: { from, to }, caller: { accountId } }) => ({
      reviewers: await reviewCounts.list(accountId, Date.parse(from), Date.parse(to)),
    }),
  }
}
