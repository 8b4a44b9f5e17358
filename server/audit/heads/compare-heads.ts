import type { Accounts } from '#server/accounts/accounts.ts'
import type { AuditLog, AuditVerdict } from '#server/audit/audit-log.ts'
import { type IsWithdrawn, judgeLog } from '#server/audit/withdrawals.ts'
import type { HeadSender } from './head-sender.ts'
import type { HeadTarget } from './head-target.ts'
import { readToldHeads, type ToldHead } from './told-heads.ts'

interface Dependencies {
  readonly accounts: Pick<Accounts, 'list'>
  readonly auditLog: Pick<AuditLog, 'verify'>
  readonly isWithdrawn: IsWithdrawn
  readonly targets: readonly HeadTarget[]
  readonly headSender: Pick<HeadSender, 'tell'>
}

export interface RolledBack {
  readonly accountId: string
  readonly fault: AuditVerdict['fault'] | 'accountMissing'
  readonly faultAt: number | null
}

/**
 * Walks the log of every account, and compares it with what was told elsewhere, as far as that is a file; tells every head
 * anew where all is well. Answers the accounts whose log is not what it was.
 */
export async function compareHeads(services: Dependencies): Promise<readonly RolledBack[]> {
  const { accounts, auditLog, isWithdrawn, targets, headSender } = services
  const told = new Map<string, ToldHead[]>()
  for (const target of targets) {
    if (target.kind !== 'file') continue
    for (const [accountId, head] of await readToldHeads(target.path))
      told.set(accountId, [...(told.get(accountId) ?? []), head])
  }
  const found: RolledBack[] = []
  for (const { accountId } of await accounts.list()) {
    const kept = told.get(accountId) ?? []
    told.delete(accountId)
    const verdicts: AuditVerdict[] = []
    for (const head of kept.length === 0 ? [undefined] : kept)
      verdicts.push(await judgeLog(auditLog, isWithdrawn, accountId, head))
    const bad = verdicts.find(({ valid }) => !valid)
    const head = verdicts[0]?.head
    if (bad !== undefined) found.push({ accountId, fault: bad.fault, faultAt: bad.faultAt })
    else if (head !== null && head !== undefined) headSender.tell(accountId, head)
  }
  const missing = [...told.keys()].map(
    (accountId) => ({ accountId, fault: 'accountMissing', faultAt: null }) as const,
  )
  return [...found, ...missing]
}

/** What an operator is told. */
export function rolledBackWords(found: readonly RolledBack[]): string {
  const named = found.map(
    ({ accountId, fault, faultAt }) => `${accountId}: ${fault}${faultAt === null ? '' : ` at ${faultAt}`}`,
  )
  return `Audit logs are not what they were: ${named.join('; ')}. Somebody wrote to the store, or an older copy of it was put back.`
}
