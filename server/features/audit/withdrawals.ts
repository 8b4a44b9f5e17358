import type { AuditLog } from './audit-log.ts'
import type { AuditHead, AuditVerdict, Withdrawal } from './log/chain.ts'
import type { ReportedOutside } from './reported-outside.ts'

/** Looks whether what a log says was revoked still is. */
export type IsWithdrawn = (accountId: string, withdrawal: Withdrawal) => Promise<boolean>

/** Where the records are that may be revoked. */
export interface Revocable {
  read(
    accountId: string,
    id: string,
  ): Promise<{ readonly value: { readonly revoked: number | string | null } } | undefined>
}

export function createIsWithdrawn(keys: Revocable, kiosks: Revocable): IsWithdrawn {
  return async (accountId, { kind, id }) => {
    if (kind === 'kiosk') {
      const read = await kiosks.read(accountId, id)
      return read === undefined || read.value.revoked !== null
    }
    const key = await keys.read(accountId, id)
    return key === undefined || key.value.revoked !== null
  }
}

/**
 * The verdict on a chain, and on what it says. [Note: Revocations are bound into the chain] A record of a key or a kiosk that
 * is put back as it was before it was revoked still opens; but the chain says that it was revoked, or what was reported outside the store, so it is
 * seen, and refused from then on.
 */
export async function judgeLog(
  log: Pick<AuditLog, 'verify'>,
  isWithdrawn: IsWithdrawn,
  reportedOutside: ReportedOutside,
  accountId: string,
  kept: AuditHead | undefined = reportedOutside.head(accountId),
): Promise<AuditVerdict> {
  const { withdrawals, ...verdict } = await log.verify(accountId, kept)
  reportedOutside.note(accountId, withdrawals)
  if (!verdict.valid) return verdict
  for (const withdrawal of reportedOutside.withdrawals(accountId)) {
    if (await isWithdrawn(accountId, withdrawal)) continue
    return { ...verdict, valid: false, fault: 'revocationUndone', faultAt: withdrawal.at }
  }
  return verdict
}
