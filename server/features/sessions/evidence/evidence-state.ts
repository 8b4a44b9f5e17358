import type { EvidenceRecords } from '#server/features/sessions/records/evidence-records.ts'
import { isGathered } from '#server/features/sessions/records/evidence-retention.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { EvidenceOfSession } from '#shared/contract/sessions/session-evidence.ts'

/** The state of a session's pictures; null if the session was not meant to keep any. */
export async function readEvidenceState(
  record: SessionRecord,
  evidence: Pick<EvidenceRecords, 'read' | 'isLost'>,
): Promise<EvidenceOfSession> {
  if (!isGathered(record)) return null
  const isIncomplete = await evidence.isLost(record)
  if (record.outcome === null) return { state: 'gathered', expiresAt: null, isIncomplete }
  const kept = (await evidence.read(record))?.value
  if (kept?.isKept !== true) return { state: 'gone', expiresAt: null, isIncomplete }
  return { state: 'kept', expiresAt: new Date(kept.until).toISOString(), isIncomplete }
}
