import { createHmac } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { AuditHead, Withdrawal } from '#server/features/audit/chain.ts'
import { sameSecret } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'

/** The end of an account's audit log, as reported outside the store. */
export interface ReportedHead extends AuditHead {
  /** When it was reported, in ISO 8601. */
  readonly time: string
  readonly accountId: string
  /** True if it was reported again because the log no longer led to it. Only a restore replaces it; later heads do not. */
  readonly isKept?: true
}

/** A revocation as reported to files. */
interface ReportedWithdrawal {
  readonly time: string
  readonly accountId: string
  readonly revoked: Withdrawal
  /** Keyed with the secret, so that a line written by anyone else cannot revoke a key. */
  readonly mac: string
}

/** A restore has legitimately reset the logs. */
interface ReportedRestore {
  readonly time: string
  readonly isRestored: true
}

export type ReportedLine = ReportedHead | ReportedWithdrawal | ReportedRestore

/** A file's content, by account. */
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

/** Reads a heads file; empty if the file does not exist. Skips truncated lines, and revocations written by anyone else. */
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
