import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import { readEvidenceState } from '#server/features/sessions/evidence/evidence-state.ts'
import type { EvidenceRecords } from '#server/features/sessions/records/evidence-records.ts'
import { measuredOf } from '#server/features/sessions/results/measured.ts'
import { timelineOf } from '#server/features/sessions/results/timeline.ts'
import type { getSessionTimeline } from '#shared/contract/sessions/session-timeline.ts'
import type { Handler } from '#shared/endpoint.ts'

export function createGetSessionTimeline(
  readSession: ReadSession,
  records: Pick<EvidenceRecords, 'read' | 'isLost'>,
): Handler<typeof getSessionTimeline, AccountCaller> {
  return async ({ query, caller: { accountId } }) => {
    const { value } = await readSession({ accountId, sessionId: query.verificationSessionId })
    const evidence = await readEvidenceState(value, records)
    return { ...timelineOf(value), evidence, measured: measuredOf(value) }
  }
}
