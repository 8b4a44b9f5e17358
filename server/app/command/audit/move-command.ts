import { existsSync } from 'node:fs'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditPlace } from '#server/app/audit-place.ts'
import { type Answer, type Command, type Context, UsageError } from '#server/app/command/command.ts'
import {
  type ArchivePlace,
  copySegments,
  createFolderArchives,
  createFolderSegments,
} from '#server/features/audit/audit.ts'
import { copyJournal } from '#server/platform/store/records/copy-journal.ts'

/** Segments that have been moved to rows. An account's folder name does not contain a full stop. */
const asideName = /^moved\.\d+$/

/** Moves audit logs, archives and the journal between files and rows. Does not erase anything on either side. */
export const moveCommand: Command = {
  summary:
    'Copies audit logs, their archives and the journal from files (AUDIT_DIR, audit-archives in DATA_DIR, JOURNAL_FILE) into rows of PostgreSQL with --to rows, servers of this version may be running, and sets the segments in AUDIT_DIR aside; or back with --to files, with all servers stopped. --archives names another folder of archives. Repeating it does no harm.',
  options: { to: { type: 'string' }, archives: { type: 'string' } },
  async run(context) {
    const to = context.text('to')
    if (to !== 'rows' && to !== 'files') throw new UsageError('--to must be rows or files.')
    if (context.auditPlace.kind === 'files')
      throw new UsageError('No PostgreSQL server for audit logs is configured: set STORE or AUDIT_DIR.')
    return to === 'rows' ? moveToRows(context) : moveToFiles(context)
  },
}

async function moveToRows(context: Context): Promise<Answer> {
  const { auditPlace, services, keyRing } = context
  const { folders, archives, journalRows } = auditPlace
  const frames = await segmentsToRows(auditPlace)
  const archived = await copyArchives(archivesInFiles(context), archives, services)
  const lines = folders.journal ? await copyJournal(folders.journal, journalRows!, keyRing) : 0
  return answerOf({ frames, archives: archived, journalLines: lines }, [
    'The original folders and file are no longer needed. Keep a copy until you have made a backup.',
    ...(folders.journal === undefined
      ? []
      : ['JOURNAL_FILE may stay set: then erasures and revocations are also recorded there.']),
  ])
}

/**
 * [Note: Set aside, then copied again] A process of 0.2.0 appends to the folder until it ends. Lines added between the
 * copy and the renaming are in the renamed folder; later ones create new files, which the log still reads and the next
 * run copies.
 */
async function segmentsToRows({ ownSegments, folders }: AuditPlace): Promise<number> {
  const { auditDir } = folders
  let copied = await copySegments(createFolderSegments(auditDir, Date.now), ownSegments)
  if (copied > 0) await setAside(auditDir)
  const aside = existsSync(auditDir) ? (await readdir(auditDir)).filter((name) => asideName.test(name)) : []
  for (const name of aside)
    copied = Math.max(
      copied,
      await copySegments(createFolderSegments(join(auditDir, name), Date.now), ownSegments),
    )
  return copied
}

async function setAside(auditDir: string): Promise<void> {
  const aside = join(auditDir, `moved.${Date.now()}`)
  await mkdir(aside, { mode: 0o700 })
  for (const accountId of await createFolderSegments(auditDir, Date.now).accounts())
    await rename(join(auditDir, accountId), join(aside, accountId))
}

async function moveToFiles(context: Context): Promise<Answer> {
  const { auditPlace, services, keyRing } = context
  const { folders, archives, journalRows, ownSegments } = auditPlace
  // Otherwise, pending entries in the store would move to rows when this command ends.
  await services.auditMover.stop()
  const frames = await copySegments(ownSegments, createFolderSegments(folders.auditDir, Date.now))
  const archived = await copyArchives(archives, archivesInFiles(context), services)
  const lines = folders.journal ? await copyJournal(journalRows!, folders.journal, keyRing) : 0
  return answerOf({ frames, archives: archived, journalLines: lines }, [
    `The segments are in ${folders.auditDir}. The rows remain. A server of this version reads both, and adds to the rows.`,
    ...(folders.journal === undefined ? ['The journal was not copied because JOURNAL_FILE is not set.'] : []),
  ])
}

function archivesInFiles({ auditPlace, text }: Context): ArchivePlace {
  return createFolderArchives(text('archives') ?? auditPlace.folders.archiveDir)
}

/** Copies archives that the other place lacks, verifying each one, and returns how many. */
async function copyArchives(
  from: ArchivePlace,
  to: ArchivePlace,
  { auditArchives }: Context['services'],
): Promise<number> {
  const there = new Set(await to.names())
  const missing = (await from.names()).filter((name) => !there.has(name))
  for (const name of missing) await to.put(name, from.source(name).read(), auditArchives.verifyArchive)
  return missing.length
}

function answerOf(
  result: { frames: number; archives: number; journalLines: number },
  lines: readonly string[],
): Answer {
  const { frames, archives, journalLines } = result
  return {
    result,
    lines: [
      `Copied: ${frames} frames of audit logs, ${archives} archives, ${journalLines} lines of the journal.`,
      ...lines,
    ],
  }
}
