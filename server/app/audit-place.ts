import { join } from 'node:path'
import {
  type ArchivePlace,
  type AuditSegments,
  createFolderArchives,
  createFolderSegments,
  createRowArchives,
  createRowSegments,
  holdsFrames,
  isOpenToServers,
  joinSegments,
} from '#server/features/audit/audit.ts'
import { createPostgresJournal } from '#server/platform/store/drivers/postgres/postgres-journal.ts'
import type { OpenedRows, PostgresRows } from '#server/platform/store/drivers/postgres/postgres-rows.ts'
import { journalFile } from '#server/platform/store/records/journal-file.ts'
import type { JournalPlace } from '#server/platform/store/records/journal-place.ts'
import { isPostgresAddress } from './setting-values.ts'
import type { Settings } from './settings.ts'

/** A deployment's audit logs, their archives and its journal: in files, or in rows on a PostgreSQL server. */
export interface AuditPlace {
  readonly kind: 'files' | 'rows'
  /** Reads complete logs and appends to them. */
  readonly segments: AuditSegments
  /** Just the place to which `segments` appends. */
  readonly ownSegments: AuditSegments
  /** Receives archives unless a command names a folder. */
  readonly archives: ArchivePlace
  /** The journal in rows; undefined when files are used, because only JOURNAL_FILE decides then. */
  readonly journalRows: JournalPlace | undefined
  readonly folders: AuditFolders
  /** True if a deployment on rows still has segments in AUDIT_DIR. */
  readonly hasFilesLeft: boolean
  /** True if a role that does not own the row tables may change them. */
  readonly isOpen: boolean
  close(): Promise<void>
}

/** Folders outside the store. A deployment on rows reads the segments in `auditDir` until they are moved. */
export interface AuditFolders {
  readonly auditDir: string
  readonly archiveDir: string
  /** JOURNAL_FILE, if it is set. */
  readonly journal: JournalPlace | undefined
}

type Naming = Pick<Settings, 'dataDir' | 'region' | 'upkeep'>

/**
 * Opens rows if the store or AUDIT_DIR is on a PostgreSQL server, otherwise the folder AUDIT_DIR.
 * @throws an Error that explains why the server in AUDIT_DIR cannot be used
 */
export async function openAuditPlace(
  settings: Naming,
  ofStore: PostgresRows | undefined,
  onFailure: (error: unknown) => void,
): Promise<AuditPlace> {
  const { auditDir, auditAddress, journalFile: journalPath } = settings.upkeep
  const archiveDir = join(settings.dataDir, 'audit-archives')
  const journal = journalPath === undefined ? undefined : journalFile(journalPath)
  const folders = { auditDir, archiveDir, journal }
  const folder = createFolderSegments(auditDir, Date.now)
  const opened = auditAddress === undefined ? undefined : await openRows(auditAddress, settings, onFailure)
  const rows = opened ?? ofStore
  const close = async () => opened?.close()
  if (rows === undefined)
    return {
      kind: 'files',
      ...{ segments: folder, ownSegments: folder, archives: createFolderArchives(archiveDir) },
      ...{ journalRows: undefined, folders, hasFilesLeft: false, isOpen: false, close },
    }
  const [hasFilesLeft, isOpen] = [await holdsFrames(folder), await isOpenToServers(rows)]
  const segments = createRowSegments(rows)
  return {
    kind: 'rows',
    segments: hasFilesLeft ? joinSegments(segments, folder) : segments,
    ...{ ownSegments: segments, archives: createRowArchives(rows) },
    ...{ journalRows: createPostgresJournal(rows), folders, hasFilesLeft, isOpen, close },
  }
}

async function openRows(
  address: string,
  { region }: Naming,
  onFailure: (error: unknown) => void,
): Promise<OpenedRows> {
  const { openPostgresRows } = await import('#server/platform/store/drivers/postgres/postgres-rows.ts')
  return openPostgresRows(address, { tag: region, namedBy: 'AUDIT_DIR', onFailure })
}

/** A journal for a restore, by a file's path or the address of the PostgreSQL database that has it in rows. */
export async function openJournal(
  named: string,
  { region }: Pick<Settings, 'region'>,
): Promise<{ readonly place: JournalPlace; close(): Promise<void> }> {
  if (!isPostgresAddress(named)) return { place: journalFile(named), close: async () => undefined }
  const { openPostgresRows } = await import('#server/platform/store/drivers/postgres/postgres-rows.ts')
  const rows = await openPostgresRows(named, {
    tag: region,
    namedBy: '--journal',
    onFailure: () => undefined,
  })
  return { place: createPostgresJournal(rows), close: rows.close }
}

/** Describes where audit logs are kept, for the startup log. */
export function auditPlaceWords(
  { upkeep, storeAddress }: Pick<Settings, 'upkeep' | 'storeAddress'>,
  { kind }: Pick<AuditPlace, 'kind'>,
): string {
  if (kind === 'rows')
    return `Audit log: rows of the PostgreSQL server in ${upkeep.auditAddress === undefined ? 'STORE' : 'AUDIT_DIR'}.`
  const isShared = storeAddress !== undefined
  const advice =
    ' Every process of this store must share this folder (AUDIT_DIR), or AUDIT_DIR must name a PostgreSQL server.'
  return `Audit log: ${upkeep.auditDir}.${isShared ? advice : ''}`
}
