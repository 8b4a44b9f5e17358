import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { VerificationStore } from './verification-store.ts'

/** A verification that asks for what nobody reaches on this deployment. */
export interface OutOfReach {
  readonly verificationId: string
  readonly name: string
}

/** Every verification of every account that asks for `high`. Where no root is trusted nobody passes it. */
export async function findAskingForHigh(
  accounts: Pick<Accounts, 'list'>,
  verifications: Pick<VerificationStore, 'listReadable'>,
): Promise<OutOfReach[]> {
  const found: OutOfReach[] = []
  for (const { accountId } of await accounts.list()) {
    for await (const { verificationId, name, verificationConfig } of verifications.listReadable(accountId)) {
      const { leastAssurance } = verificationConfig.verifierConfigs?.liveness ?? {}
      if (leastAssurance === 'high') found.push({ verificationId, name })
    }
  }
  return found
}
