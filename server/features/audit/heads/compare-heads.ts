import type { AuditLog } from '#server/features/audit/audit-log.ts'
import type { AuditVerdict } from '#server/features/audit/chain.ts'
import type { ReportedOutside } from '#server/features/audit/reported-outside.ts'
import { type IsWithdrawn, judgeLog } from '#server/features/audit/withdrawals.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { OperationsLog } from '#server/platform/telemetry/log.ts'
import type { HeadSender } from './head-sender.ts'
import type { HeadTarget } from './head-target.ts'
import { type ReportedHead, readReportedHeads } from './reported-heads.ts'

interface Dependencies {
  readonly accounts: { list(): Promise<readonly { readonly accountId: string }[]> }
  readonly auditLog: Pick<AuditLog, 'verifyRecent'>
  readonly isWithdrawn: IsWithdrawn
  readonly keyRing: KeyRing
  readonly targets: readonly HeadTarget[]
  readonly reportedOutside: ReportedOutside
  readonly headSender: Pick<HeadSender, 'tell' | 'keep'>
}

export interface RolledBack {
  readonly accountId: string
  readonly fault: AuditVerdict['fault'] | 'accountMissing'
  readonly faultAt: number | null
}

/** The files' content before this process wrote anything. Each file may have a different head for an account. */
export type ReportedBefore = ReadonlyMap<string, readonly ReportedHead[]>

/**
 * Reads what was reported to files before the store is used, so that revoked keys and kiosks are refused from the
 * beginning.
 * @throws if a file cannot be read
 */
export async function readReportedBefore(
  targets: readonly HeadTarget[],
  keyRing: KeyRing,
  reportedOutside: ReportedOutside,
): Promise<ReportedBefore> {
  const reported = new Map<string, ReportedHead[]>()
  for (const target of targets) {
    if (target.kind !== 'file') continue
    const { heads, withdrawals } = await readReportedHeads(target.path, keyRing)
    for (const { accountId, revoked } of withdrawals) reportedOutside.note(accountId, [revoked])
    for (const [accountId, head] of heads) {
      reported.set(accountId, [...(reported.get(accountId) ?? []), head])
      if (head.sequence >= (reportedOutside.head(accountId)?.sequence ?? 0))
        reportedOutside.noteHead(accountId, head)
    }
  }
  return reported
}

/**
 * Walks every account's log from its newest checkpoint, and compares it with the heads reported to files. Reports every head
 * again if all is well. Returns the accounts with logs that have been changed.
 */
export async function compareHeads(
  services: Dependencies,
  reportedBefore?: ReportedBefore,
): Promise<readonly RolledBack[]> {
  const { accounts, keyRing, targets, reportedOutside } = services
  const reported = new Map(reportedBefore ?? (await readReportedBefore(targets, keyRing, reportedOutside)))
  const found: RolledBack[] = []
  for (const { accountId } of await accounts.list()) {
    const kept = reported.get(accountId) ?? []
    reported.delete(accountId)
    const bad = await compareLog(services, accountId, kept)
    if (bad !== undefined) found.push({ accountId, fault: bad.fault, faultAt: bad.faultAt })
  }
  const missing = [...reported.keys()].map(
    (accountId) => ({ accountId, fault: 'accountMissing', faultAt: null }) as const,
  )
  return [...found, ...missing]
}

/** The verdict on a log that has been changed; undefined if all is well. */
async function compareLog(
  { auditLog, isWithdrawn, reportedOutside, headSender }: Dependencies,
  accountId: string,
  kept: readonly ReportedHead[],
): Promise<AuditVerdict | undefined> {
  const before = reportedOutside.withdrawals(accountId)
  let good: AuditVerdict | undefined
  for (const head of kept.length === 0 ? [undefined] : kept) {
    const log = { verify: auditLog.verifyRecent }
    const verdict = await judgeLog(log, isWithdrawn, reportedOutside, accountId, head)
    if (verdict.valid) {
      good ??= verdict
      continue
    }
    // Otherwise, the log's next head would replace the one that proves the change.
    if (head !== undefined && head.isKept === undefined && isRolledBack(verdict)) headSender.keep(head)
    return verdict
  }
  const fresh = reportedOutside.withdrawals(accountId).filter((known) => !before.includes(known))
  if (good?.head != null) headSender.tell(accountId, good.head, fresh)
  return undefined
}

function isRolledBack({ fault }: AuditVerdict): boolean {
  return fault === 'missing' || fault === 'rewritten'
}

/** Compares at startup, while requests are served, and warns about logs that have been changed. */
export async function tellOfRolledBack(
  services: Dependencies,
  reportedBefore: ReportedBefore,
  log: Pick<OperationsLog, 'warning' | 'failure'>,
): Promise<void> {
  try {
    const rolledBack = await compareHeads(services, reportedBefore)
    if (rolledBack.length > 0) log.warning('audit_rolled_back', rolledBackWords(rolledBack))
  } catch (error) {
    log.failure(error, 'The audit logs could not be compared')
  }
}

/** The message for operators. */
export function rolledBackWords(found: readonly RolledBack[]): string {
  const named = found.map(
    ({ accountId, fault, faultAt }) => `${accountId}: ${fault}${faultAt === null ? '' : ` at ${faultAt}`}`,
  )
  return `Audit logs have been changed: ${named.join('; ')}. The store was modified, or an older copy of it was put back. Revoked keys and kiosks stay refused; revoke them again.`
}
