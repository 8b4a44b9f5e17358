import type {
  EvidenceRecord,
  EvidenceRecords,
  SessionKey,
} from '#server/features/sessions/records/evidence-records.ts'
import type { Transaction } from '#server/platform/store/transaction.ts'

/** Changes the retention of a session's pictures in the same commit. Returns the records before and after it. */
export async function changeEvidence(
  evidenceRecords: Pick<EvidenceRecords, 'read' | 'write'>,
  transaction: Transaction,
  whose: SessionKey,
  change: (kept: EvidenceRecord) => EvidenceRecord,
): Promise<{ readonly before: EvidenceRecord; readonly after: EvidenceRecord } | undefined> {
  const kept = await evidenceRecords.read(whose)
  if (kept?.value.isKept !== true) return undefined
  const after = change(kept.value)
  transaction.hold(kept.guard)
  transaction.write(evidenceRecords.write(whose, after))
  return { before: kept.value, after }
}
