import type { Accounts } from '#server/accounts/accounts.ts'
import type { KioskStore } from '#server/kiosk/kiosk-store.ts'
import type { AuditLog, AuditVerdict, Withdrawal } from './audit-log.ts'

/** Looks whether what a log says was revoked still is. */
export type IsWithdrawn = (accountId: string, withdrawal: Withdrawal) => Promise<boolean>

export function createIsWithdrawn(
  accounts: Pick<Accounts, 'findKey'>,
  kiosks: Pick<KioskStore, 'read'>,
): IsWithdrawn {
  return async (accountId, { kind, id }) => {
    if (kind === 'kiosk') {
      const read = await kiosks.read(accountId, id)
      return read === undefined || read.value.revoked !== null
    }
    const key = await accounts.findKey(accountId, id)
    return key === undefined || key.revoked !== null
  }
}

/**
 * The verdict on a chain, and on what it says. [Note: Revocations are bound into the chain] A record of a key or a kiosk that
 * is put back as it was before it was revoked still opens; but the chain says that it was revoked, so it is seen.
 */
export async function judgeLog(
  log: Pick<AuditLog, 'verify'>,
  isWithdrawn: IsWithdrawn,
  accountId: string,
  kept?: { readonly sequence: number; readonly hash: string },
): Promise<AuditVerdict> {
  const { withdrawals, ...verdict } = await log.verify(accountId, kept)
  if (!verdict.valid) return verdict
  for (const withdrawal of withdrawals) {
    if (await isWithdrawn(accountId, withdrawal)) continue
    return { ...verdict, valid: false, fault: 'revocationUndone', faultAt: withdrawal.at }
  }
  return verdict
}
