import { type Answer, type Command, type Context, UsageError } from '#server/app/command/command.ts'
import {
  type ArchivedMonth,
  type ArchiveSource,
  createFolderArchives,
  fileSource,
  gapsBetween,
  type ProvenArchive,
} from '#server/features/audit/audit.ts'
import type { Account } from '#server/features/callers/callers.ts'
import { verifyJournal } from '#server/platform/store/records/journal.ts'
import { moveCommand } from './move-command.ts'

const dayForm = /^\d{4}-\d{2}-\d{2}$/

const archive: Command = {
  summary:
    'Moves audit entries from before a day (2026-01-31, UTC) into archives, up to the newest checkpoint before it; of every account, or of one. --into names a folder for them; by default it is audit-archives in DATA_DIR, or a table if the log is in rows of PostgreSQL, which requires the role that owns the tables.',
  options: { before: { type: 'string' }, into: { type: 'string' } },
  async run(context) {
    const before = dayOf(context.text('before'))
    const { auditArchives, audit } = context.services
    const folder = context.text('into')
    const into = folder === undefined ? context.auditPlace.archives : createFolderArchives(folder)
    const archived: ArchivedMonth[] = []
    const faults: string[] = []
    const archiveNext = async (accountId: string) => {
      const noted = [await audit.entry(accountId, 'archiveAuditLog', 'commandLine', {})]
      return auditArchives
        .archive(accountId, before, into, noted)
        .catch((error: Error) => void faults.push(`${accountId}: ${error.message}`))
    }
    for (const { accountId } of await chooseAccounts(context)) {
      // There are two if an earlier run was killed before its cut: its own archive, and the rest.
      for (let found = await archiveNext(accountId); found; found = await archiveNext(accountId))
        archived.push(found)
    }
    const lines = archived.map(({ file, first, last }) => `Entries ${first} to ${last} moved to ${file}.`)
    if (lines.length + faults.length === 0)
      lines.push('There is nothing to archive: no checkpoint is that old.')
    for (const fault of faults) context.progress(fault)
    return { result: archived, lines, failed: faults.length > 0 }
  },
}

const verify: Command = {
  summary:
    'Verifies archives, and that they continue each other and the log; without a FILE, the whole log of every account, or of one, and archives and the journal in rows.',
  subject: 'FILE',
  several: true,
  run: (context) => (context.subjects.length > 0 ? verifyFiles(context) : verifyAll(context)),
}

export const auditCommands: Readonly<Record<string, Command>> = { archive, verify, move: moveCommand }

async function verifyLogs(context: Context): Promise<Answer> {
  const { auditArchives } = context.services
  const result = []
  for (const { accountId, name } of await chooseAccounts(context)) {
    const { withdrawals: _withdrawals, ...verdict } = await auditArchives.verifyLog(accountId)
    const archivedTo = (await auditArchives.cutOf(accountId))?.sequence ?? null
    result.push({ accountId, name, archivedTo, ...verdict })
  }
  const lines = result.map(({ accountId, name, archivedTo, valid, checked, fault, faultAt }) => {
    const where = faultAt === null ? '' : `, at entry ${faultAt}`
    const behind = archivedTo === null ? '' : ` after entry ${archivedTo}, which was archived`
    return `${name} (${accountId}): ${valid ? `whole, ${checked} entries${behind}` : `NOT whole: ${fault}${where}`}`
  })
  return { result, lines, failed: result.some(({ valid }) => !valid) }
}

/** Checks the logs, and the archives and the journal stored in rows next to them. */
async function verifyAll(context: Context): Promise<Answer> {
  const logs = await verifyLogs(context)
  const { archives, journalRows } = context.auditPlace
  if (journalRows === undefined) return logs
  const proven = await verifyArchives(context, (await archives.names()).map(archives.source))
  const journalFault = await verifyJournal(journalRows, context.keyRing).then(
    () => null,
    (error: Error) => error.message,
  )
  return {
    result: { logs: logs.result, ...(proven.result as object), journalFault },
    lines: [...logs.lines, ...proven.lines, journalFault ?? 'The journal of the database is complete.'],
    failed: logs.failed === true || proven.failed === true || journalFault !== null,
  }
}

function verifyFiles(context: Context): Promise<Answer> {
  return verifyArchives(context, context.subjects.map(fileSource))
}

async function verifyArchives({ services }: Context, sources: readonly ArchiveSource[]): Promise<Answer> {
  const { auditArchives } = services
  const proven: ProvenArchive[] = []
  const faults: string[] = []
  for (const source of sources) {
    try {
      proven.push(await auditArchives.verifyArchive(source))
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  faults.push(...gapsBetween(proven))
  const result = proven.map(({ file, accountId, from, to, entries }) => ({
    file,
    accountId,
    first: from.sequence + 1,
    last: to.sequence,
    entries,
  }))
  const lines = result.map(
    ({ file, accountId, first, last }) => `${file}: whole, entries ${first} to ${last} of ${accountId}`,
  )
  for (const { file, accountId, to } of proven) {
    const cut = await auditArchives.cutOf(accountId)
    if (cut?.sequence === to.sequence && cut.hash !== to.hash)
      faults.push(`${file} does not continue into the log of ${accountId}.`)
    else if (cut?.sequence === to.sequence) lines.push(`The log of ${accountId} continues from ${file}.`)
  }
  return { result: { archives: result, faults }, lines: [...lines, ...faults], failed: faults.length > 0 }
}

/** The named account, or every account. */
async function chooseAccounts(context: Context): Promise<readonly Account[]> {
  return context.text('account') === undefined ? context.services.accounts.list() : [await context.account()]
}

/** The beginning of a day, in milliseconds since 1970. @throws {UsageError} if it is not a day, or lies in the future */
function dayOf(given: string | undefined): number {
  const time = given !== undefined && dayForm.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time)) throw new UsageError('--before must be a day such as 2026-01-31.')
  if (time > Date.now()) throw new UsageError('--before must not be in the future.')
  return time
}
