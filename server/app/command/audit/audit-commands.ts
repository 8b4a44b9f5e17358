import { type Answer, type Command, type Context, UsageError } from '#server/app/command/command.ts'
import { type Archived, gapsBetween, type ProvenArchive } from '#server/features/audit/audit.ts'
import type { Account } from '#server/features/callers/callers.ts'

const dayForm = /^\d{4}-\d{2}-\d{2}$/

const archive: Command = {
  summary:
    'Moves audit entries from before a day (2026-01-31, UTC) into files, up to the newest checkpoint before it; of every account, or of one. --into names the folder, else it is audit-archives in DATA_DIR.',
  options: { before: { type: 'string' }, into: { type: 'string' } },
  async run(context) {
    const before = dayOf(context.text('before'))
    const { auditArchives, audit } = context.services
    const folder = context.text('into') ?? context.archiveDir
    const archived: Archived[] = []
    const faults: string[] = []
    const archiveNext = async (accountId: string) => {
      const noted = [await audit.entry(accountId, 'archiveAuditLog', 'commandLine', {})]
      return auditArchives
        .archive(accountId, before, folder, noted)
        .catch((error: Error) => void faults.push(`${accountId}: ${error.message}`))
    }
    for (const { accountId } of await accountsOf(context)) {
      // Two of them if an earlier run was killed before its cut: its own, and what followed.
      for (let found = await archiveNext(accountId); found; found = await archiveNext(accountId))
        archived.push(found)
    }
    const lines = archived.map(
      ({ file, first, last }) => `Entries ${first} to ${last} written to ${file}, and cut off.`,
    )
    if (lines.length + faults.length === 0)
      lines.push('There is nothing to archive: no checkpoint is as old as that.')
    for (const fault of faults) context.progress(fault)
    return { result: archived, lines, failed: faults.length > 0 }
  },
}

const verify: Command = {
  summary:
    'Verifies archives, and that they continue each other and the log; without a FILE, the whole log of every account, or of one.',
  subject: 'FILE',
  several: true,
  run: (context) => (context.subjects.length > 0 ? verifyFiles(context) : verifyLogs(context)),
}

export const auditCommands: Readonly<Record<string, Command>> = { archive, verify }

async function verifyLogs(context: Context): Promise<Answer> {
  const { auditArchives } = context.services
  const result = []
  for (const { accountId, name } of await accountsOf(context)) {
    const { withdrawals: _withdrawals, ...verdict } = await auditArchives.verifyLog(accountId)
    const archivedTo = (await auditArchives.cutOf(accountId))?.sequence ?? null
    result.push({ accountId, name, archivedTo, ...verdict })
  }
  const lines = result.map(({ accountId, name, archivedTo, valid, checked, fault, faultAt }) => {
    const where = faultAt === null ? '' : `, at entry ${faultAt}`
    const behind = archivedTo === null ? '' : ` behind entry ${archivedTo}, which was archived`
    return `${name} (${accountId}): ${valid ? `whole, ${checked} entries${behind}` : `NOT whole: ${fault}${where}`}`
  })
  return { result, lines, failed: result.some(({ valid }) => !valid) }
}

async function verifyFiles({ subjects, services }: Context): Promise<Answer> {
  const { auditArchives } = services
  const proven: ProvenArchive[] = []
  const faults: string[] = []
  for (const file of subjects) {
    try {
      proven.push(await auditArchives.verifyFile(file))
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
      faults.push(`${file} does not lead on to the log of ${accountId}.`)
    else if (cut?.sequence === to.sequence) lines.push(`The log of ${accountId} leads on from ${file}.`)
  }
  return { result: { archives: result, faults }, lines: [...lines, ...faults], failed: faults.length > 0 }
}

/** The one that is named, else every account there is. */
async function accountsOf(context: Context): Promise<readonly Account[]> {
  return context.text('account') === undefined ? context.services.accounts.list() : [await context.account()]
}

/** The beginning of a day, milliseconds since 1970. @throws {UsageError} where it is none, or has not come yet */
function dayOf(given: string | undefined): number {
  const time = given !== undefined && dayForm.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time)) throw new UsageError('--before must be a day such as 2026-01-31.')
  if (time > Date.now()) throw new UsageError('--before must not be in the future.')
  return time
}
