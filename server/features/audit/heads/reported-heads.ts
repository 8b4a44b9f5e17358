import { createHmac } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { AuditHead, Withdrawal } from '#server/features/audit/log/chain.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'

/** The end of an account's audit log, as reported outside the store. */
export interface ReportedHead extends AuditHead {
  /** ISO 8601: when it was reported. */
  readonly time: string
  readonly accountId: string
  /** Reported again because the log no longer led to it. Later heads do not replace it; only a restore does. */
  readonly isKept?: true
}

/** A revocation, as it is reported to files. */
interface ReportedWithdrawal {
  readonly time: string
  readonly accountId: string
  readonly revoked: Withdrawal
  /** Keyed by the secret, so that a line written by anyone else cannot revoke a key. */
  readonly mac: string
}

/** A restore has legitimately reset the logs. */
interface ReportedRestore {
  readonly time: string
  readonly isRestored: true
}

export type ReportedLine = ReportedHead | ReportedWithdrawal | ReportedRestore

/** The content of a file, by account. */
export interface ReportedFile {
  /** The last head, or the one that is kept. */
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

/** The content of a file of heads; empty if the file does not exist. Skips truncated lines, and revocations that others wrote. */
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
