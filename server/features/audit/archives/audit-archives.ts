import type { AuditLog } from '#server/features/audit/audit-log.ts'
import type { AuditHead, ChainVerdict } from '#server/features/audit/chain.ts'
import { createLogEnds } from '#server/features/audit/log/log-end.ts'
import { trimToStore } from '#server/features/audit/log/trim-log.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { type ArchivedMonth, archiveLog } from './archive-log.ts'
import type { ArchivePlace, ArchiveSource } from './archive-place.ts'
import { type ProvenArchive, verifyArchive } from './verify-archive.ts'

/** Moves old entries out of audit logs, and verifies them afterwards. */
export interface AuditArchives {
  /** As `archiveLog`. */
  archive(
    accountId: string,
    before: number,
    into: ArchivePlace,
    noted?: readonly Write[],
  ): Promise<ArchivedMonth | undefined>
  /** @throws an Error that explains why it is incomplete */
  verifyArchive(source: ArchiveSource): Promise<ProvenArchive>
  /** Verifies everything that is left in an account's log. */
  verifyLog(accountId: string): Promise<ChainVerdict>
  /** A log's last archived entry; undefined if none was archived. */
  cutOf(accountId: string): Promise<AuditHead | undefined>
  /**
   * After a restore, removes entries that the store does not know. `later` has the ends of the logs as they were once the
   * segments had been read.
   */
  trimToStore(later: Store): Promise<void>
  /** The oldest remaining entry's time, in milliseconds since 1970; undefined if no entry has left the store. */
  oldest(accountId: string): Promise<number | undefined>
}

export function createAuditArchives(log: Pick<AuditLog, 'book' | 'verify'>, keyRing: KeyRing): AuditArchives {
  const { book } = log
  const findCut = async (accountId: string) => {
    const end = await book.ends.look(accountId)
    return typeof end === 'string' ? undefined : end.cut
  }
  return {
    archive: (accountId, before, into, noted = []) =>
      archiveLog({ book, keyRing, archives: into }, accountId, before, noted),
    verifyArchive: (source) => verifyArchive(source, keyRing),
    verifyLog: log.verify,
    cutOf: findCut,
    trimToStore: (later) => trimToStore(book, createLogEnds(later, keyRing)),
    async oldest(accountId) {
      const frame = await book.segments.oldest(accountId)
      const left = (await findCut(accountId))?.sequence ?? 0
      const entries = frame === undefined ? [] : (book.frames.openEntries(accountId, frame) ?? [])
      const entry = entries.find(({ sequence }) => sequence > left)
      return entry === undefined ? undefined : Date.parse(entry.time)
    },
  }
}
