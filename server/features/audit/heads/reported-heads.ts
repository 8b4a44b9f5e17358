import { createHmac } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { AuditHead, Withdrawal } from '#server/features/audit/log/chain.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'

/** The end of an account's audit log, as it is reported elsewhere. */
export interface ReportedHead extends AuditHead {
  /** ISO 8601: when it was reported. */
  readonly time: string
  readonly accountId: string
  /** Told again because the log no longer led there: later ends do not take its place, only a restore does. */
  readonly isKept?: true
}

/** A revocation, as it is reported to files. */
interface ReportedWithdrawal {
  readonly time: string
  readonly accountId: string
  readonly revoked: Withdrawal
  /** Of whoever has the secret: nobody else can revoke a key by a line. */
  readonly mac: string
}

/** A restore has taken the logs back, for good reason. */
interface ReportedRestore {
  readonly time: string
  readonly isRestored: true
}

export type ReportedLine = ReportedHead | ReportedWithdrawal | ReportedRestore

/** What a file tells of each account. */
export interface ReportedFile {
  /** The last end, or the one that was kept. */
  readonly heads: ReadonlyMap<string, ReportedHead>
  readonly withdrawals: readonly ReportedWithdrawal[]
}

export function reportedWithdrawal(
  keyRing: KeyRing,
  time: string,
  accountId: string,
  revoked: Withdrawal,
): ReportedWithdrawal {
  return { time, accountId, revoked, mac: macOf(keyRing, accountId, revoked) }
}

/** What is in a file of heads; nothing where there is no file. Lines that were cut short, and revocations that others wrote, are left out. */
export async function readReportedHeads(path: string, keyRing: KeyRing): Promise<ReportedFile> {
  const heads = new Map<string, ReportedHead>()
  const withdrawals = new Map<string, ReportedWithdrawal>()
  const lines = existsSync(path) ? createInterface({ input: createReadStream(path) }) : []
  for await (const line of lines) {
    const reported = tryOrUndefined(
      () => JSON.parse(line) as Partial<ReportedHead & ReportedWithdrawal & ReportedRestore>,
    )
    if (reported?.isRestored === true) heads.clear()
    if (typeof reported?.accountId !== 'string') continue
    const withdrawal = withdrawalOf(reported, keyRing)
    if (withdrawal !== undefined) withdrawals.set(withdrawal.mac, withdrawal)
    if (typeof reported.sequence !== 'number') continue
    if (reported.isKept === true || heads.get(reported.accountId)?.isKept !== true)
      heads.set(reported.accountId, reported as ReportedHead)
  }
  return { heads, withdrawals: [...withdrawals.values()] }
}

function withdrawalOf(
  reported: Partial<ReportedWithdrawal>,
  keyRing: KeyRing,
): ReportedWithdrawal | undefined {
  const { accountId, revoked, mac } = reported
  if (typeof revoked !== 'object' || revoked === null || typeof mac !== 'string') return undefined
  return sameSecret(mac, macOf(keyRing, accountId!, revoked)) ? (reported as ReportedWithdrawal) : undefined
}

function macOf(keyRing: KeyRing, accountId: string, { kind, id, at }: Withdrawal): string {
  const content = JSON.stringify([accountId, kind, id, at])
  return createHmac('sha256', keyRing.derive('audit-heads')).update(content).digest('base64url')
}
