import { openAuditPlace } from '#server/app/audit-place.ts'
import { openMadeStore } from '#server/app/opening.ts'
import type { Settings } from '#server/app/settings.ts'
import { productVersion } from '#server/platform/running/product-version.ts'
import { readLastLine } from '#server/platform/store/records/journal-place.ts'
import { kindOf } from '#server/platform/store/records/record-kinds.ts'
import type { SnapshotEntry } from '#server/platform/store/store.ts'
import { firstFormat, readStamp, storeFormat } from '#server/platform/store/store-stamp.ts'
import { withAudit } from './audit-frames.ts'
import { type BackupEnd, type BackupHead, writeBackup } from './backup-file.ts'

const evidenceKind = 'evidence'

/**
 * Writes the store as of one moment to a new file, along with the audit logs, even while servers use it.
 * @throws if there is no store, if the file exists, or if the store belongs to a later program or another region
 */
export async function createBackup(settings: Settings, path: string, passphrase: string): Promise<BackupEnd> {
  const { region } = settings
  const { store, snapshot, rows } = await openMadeStore(settings, () => undefined)
  const auditPlace = await openAuditPlace(settings, rows, () => undefined)
  try {
    const { format, leastReader } = await readStamp(store, region)
    // The line is read before the snapshot, so that every later change comes after it in the journal.
    const journalLine = await readLastLine(auditPlace.folders.journal ?? auditPlace.journalRows)
    const about: BackupHead = {
      ...{ backup: 1, program: productVersion, format, leastReader, region },
      ...(journalLine !== undefined && { journalLine }),
    }
    const { entries, takenAt } = snapshot()
    const all = withAudit(withoutEvidence(entries), auditPlace, store)
    return await writeBackup(path, passphrase, about, all, takenAt)
  } finally {
    await auditPlace.close()
    await store.close()
  }
}

/**
 * [Note: No backup has evidence] Pictures for reviews are stored outside the records. The keys that open them are omitted
 * as well, so that erased pictures cannot be opened after a restore.
 */
async function* withoutEvidence(entries: AsyncIterable<SnapshotEntry>): AsyncGenerator<SnapshotEntry> {
  for await (const entry of entries) if (kindOf(entry.key) !== evidenceKind) yield entry
}

/** The reason that this program cannot restore a backup with these settings; undefined if it can. */
export function whyUnfit(head: BackupHead, { region }: Pick<Settings, 'region'>): string | undefined {
  if (head.region !== region) return `The backup belongs to the region ${head.region}, not ${region}.`
  if (head.format < firstFormat)
    return `The backup has format ${head.format}, which no release of Selfsame wrote.`
  if (head.leastReader <= storeFormat) return undefined
  return `The backup has format ${head.format}, which Selfsame ${head.program} wrote. This is ${productVersion}, which reads up to ${storeFormat}.`
}
