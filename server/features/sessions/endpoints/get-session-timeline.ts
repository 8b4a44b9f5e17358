import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import { readEvidenceState } from '#server/features/sessions/evidence/evidence-state.ts'
import type { EvidenceRecords } from '#server/features/sessions/records/evidence-records.ts'
import { measuredOf } from '#server/features/sessions/results/measured.ts'
import { timelineOf } from '#server/features/sessions/results/timeline.ts'
import { denyCollectionsOf } from '#server/features/sessions/reviewing/deny-collections.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Events } from '#server/features/webhooks/webhooks.ts'
import type { getSessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import type { Handler } from '#shared/endpoint.ts'

interface Dependencies {
  readonly readSession: ReadSession
  readonly verifications: Pick<Verifications, 'find'>
  readonly records: Pick<EvidenceRecords, 'read' | 'isLost'>
  readonly events: Pick<Events, 'receivers'>
}

/** A session's events, for its review. */
export function createGetSessionTimeline({
  readSession,
  verifications,
  records,
  events,
}: Dependencies): Handler<typeof getSessionTimeline, AccountCaller> {
  return async ({ query, caller: { accountId } }) => {
    const { value } = await readSession({ accountId, sessionId: query.verificationSessionId })
    return {
      ...timelineOf(value),
      evidence: await readEvidenceState(value, records),
      measured: measuredOf(value),
      onReview: { endpoints: await events.receivers(accountId, 'VerificationReviewed') },
      denyCollectionIds: await denyCollectionsOf(verifications, value),
    }
  }
}
