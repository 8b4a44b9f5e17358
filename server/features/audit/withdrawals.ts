import type { AuditLog } from './audit-log.ts'
import type { AuditHead, AuditVerdict, Withdrawal } from './chain.ts'
import type { ReportedOutside } from './reported-outside.ts'

/** Checks that a recorded revocation still has effect. */
export type IsWithdrawn = (accountId: string, withdrawal: Withdrawal) => Promise<boolean>

/** The records that may be revoked. */
export interface RevocableRecords {
  read(
    accountId: string,
    id: string,
  ): Promise<{ readonly value: { readonly revoked: number | string | null } } | undefined>
}

export function createIsWithdrawn(keys: RevocableRecords, kiosks: RevocableRecords): IsWithdrawn {
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
 * The verdict on a chain and its revocations. [Note: Revocations are bound into the chain] A record of a key or a kiosk
 * that is put back as it was before its revocation still opens. But the chain, or the report outside the store, shows
 * that it was revoked, so it is detected and refused from then on.
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
