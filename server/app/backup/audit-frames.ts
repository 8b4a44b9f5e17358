import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { AuditPlace } from '#server/app/audit-place.ts'
import {
  type ArchivePlace,
  type Frame,
  packFrame,
  unpackFrames,
  verifyArchive,
} from '#server/features/audit/audit.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { createJournalLines, digestOf } from '#server/platform/store/records/journal-lines.ts'
import { inLots, type JournalPlace } from '#server/platform/store/records/journal-place.ts'
import type { Store } from '#server/platform/store/store.ts'
import type { BackupEntry } from './backup-file.ts'

const frameKind = 'audit-frame/'
const endKind = 'audit-head/'
const laterKind = 'audit-later/'
const archiveKind = 'audit-archive/'
const journalKind = 'audit-journal/'
const ownKinds = [frameKind, laterKind, archiveKind, journalKind]

/** The parts of an audit place that a backup reads: always its segments, and the rest if it is in rows. Files are backed up as files. */
export type BackedUp = Pick<AuditPlace, 'kind' | 'segments' | 'archives' | 'journalRows'>

/**
 * Returns a store's entries, followed by the audit logs, so that a backup contains every entry that leaves the store in the
 * meantime. The ends of the logs are read again and come last, because an archive may cut frames off during the backup, and
 * only the ends reveal this. Archives and the journal follow if they are in rows.
 */
export async function* withAudit(
  entries: AsyncIterable<BackupEntry>,
  place: BackedUp,
  store: Pick<Store, 'list'>,
): AsyncGenerator<BackupEntry> {
  yield* entries
  const { segments } = place
  for (const accountId of await segments.accounts())
    for await (const frame of segments.ascending(accountId, -1))
      yield entry(frameKind + accountId, packFrame(frame))
  for await (const { key, value } of store.list(endKind)) yield entry(laterKind + key, value)
  if (place.kind === 'rows') yield* rowsOf(place)
}

async function* rowsOf({ archives, journalRows }: BackedUp): AsyncGenerator<BackupEntry> {
  for (const name of await archives.names())
    for await (const bytes of archives.source(name).read()) yield entry(archiveKind + name, bytes)
  if (journalRows === undefined) return
  for await (const { line } of journalRows.lines()) yield entry(journalKind, line)
}

function entry(key: string, value: Uint8Array): BackupEntry {
  return { key, value, expiresAt: undefined }
}

/** Restores audit logs, archives and a journal from a backup. */
export interface AuditRestore {
  /** Takes its own entries out of a batch, and returns those that belong in the store. */
  put(lot: readonly BackupEntry[]): Promise<readonly BackupEntry[]>
  /** Finishes the last archive, and adds lines that only a journal has. */
  end(journal: JournalPlace | undefined): Promise<void>
}

interface RestoredTo {
  readonly place: Pick<AuditPlace, 'segments' | 'archives'>
  /** Receives the journal's lines; undefined if they are dropped. */
  readonly journal: JournalPlace | undefined
  readonly keyRing: KeyRing
  /** Receives the ends of the logs that were read last. */
  readonly later: Store
}

export function createAuditRestore({ place, journal, keyRing, later }: RestoredTo): AuditRestore {
  const { segments, archives } = place
  const lines = createJournalLines(keyRing)
  const known = new Set<string>()
  let archive: OpenArchive | undefined

  async function putFrames(lot: readonly BackupEntry[]): Promise<void> {
    const frames = new Map<string, Frame[]>()
    for (const [accountId, value] of ofKind(lot, frameKind))
      frames.set(accountId, [...(frames.get(accountId) ?? []), ...unpackFrames(value)])
    for (const [accountId, of] of frames) await segments.append(accountId, of)
  }

  async function putArchives(lot: readonly BackupEntry[]): Promise<void> {
    for (const [name, bytes] of ofKind(lot, archiveKind)) {
      if (archive?.name !== name) {
        await archive?.end()
        archive = beginArchive(archives, name, keyRing)
      }
      await archive.add(bytes)
    }
  }

  async function putLines(added: readonly Buffer[]): Promise<void> {
    const fresh = added.filter((line) => !known.has(digestOf(line)))
    for (const line of fresh) known.add(digestOf(line))
    if (journal !== undefined && fresh.length > 0) await journal.append(fresh.map(ended), lines)
  }

  return {
    async put(lot) {
      await putFrames(lot)
      for (const [key, value] of ofKind(lot, laterKind)) await later.put(key, value)
      await putArchives(lot)
      await putLines(ofKind(lot, journalKind).map(([, line]) => line))
      return lot.filter(({ key }) => !ownKinds.some((kind) => key.startsWith(kind)))
    },
    async end(other) {
      await archive?.end()
      if (journal === undefined || other === undefined) return
      for await (const some of inLots(other.lines())) await putLines(some)
    },
  }
}

/** An archive that is being written while its parts arrive. */
interface OpenArchive {
  readonly name: string
  add(bytes: Uint8Array): Promise<void>
  end(): Promise<void>
}

function beginArchive(archives: ArchivePlace, name: string, keyRing: KeyRing): OpenArchive {
  const parts = new PassThrough({ highWaterMark: 0 })
  const put = archives.put(name, parts, (written) => verifyArchive(written, keyRing))
  return {
    name,
    async add(bytes) {
      if (!parts.write(bytes)) await Promise.race([once(parts, 'drain'), put])
    },
    async end() {
      parts.end()
      await put
    },
  }
}

function ofKind(lot: readonly BackupEntry[], kind: string): [name: string, value: Buffer][] {
  return lot
    .filter(({ key, value }) => key.startsWith(kind) && value !== undefined)
    .map(({ key, value }) => [key.slice(kind.length), Buffer.from(value!)])
}

function ended(line: Buffer): Buffer {
  return Buffer.concat([line, Buffer.from('\n')])
}
