import { busy } from '#server/features/sessions/access/refusals.ts'
import type {
  EvidenceRecords,
  PictureCounts,
  SessionKey,
} from '#server/features/sessions/records/evidence-records.ts'
import type { Store } from '#server/platform/store/store.ts'
import { transact } from '#server/platform/store/transaction.ts'
import { Problem } from '#shared/problem.ts'

/** Records who is about to be shown a session's pictures, and returns when they expire, in milliseconds since 1970. */
export type NoteViewing = (whose: SessionKey, keyId: string, shown: PictureCounts) => Promise<number>

export function createNoteViewing(
  store: Pick<Store, 'commit'>,
  records: Pick<EvidenceRecords, 'read' | 'write'>,
): NoteViewing {
  return (whose, keyId, shown) =>
    transact(
      store,
      async (transaction) => {
        const read = await records.read(whose)
        if (read === undefined) throw notKept()
        transaction.hold(read.guard)
        const seenBy = { ...read.value.seenBy, [keyId]: shown }
        transaction.write(records.write(whose, { ...read.value, seenBy }))
        return read.value.until
      },
      busy,
    )
}

export function notKept(): Problem {
  return new Problem('evidence_not_kept', 'No pictures of this session are kept.')
}
