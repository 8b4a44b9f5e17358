import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import type { Fault } from '#shared/problem.ts'
import type { VerificationStore } from './verification-store.ts'

/** A verification that requires an assurance level that no visit to this deployment can reach. */
export interface OutOfReach {
  readonly verificationId: string
  readonly name: string
}

/** All accounts' verifications that require `high`. Without a trusted root, they always fail. */
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

/**
 * [Note: Nobody is asked for what nobody reaches] `high` assurance needs a device that a trusted manufacturer vouches for.
 * Without trusted roots, a verification that requires it would always fail, so writes may not require it. Verifications
 * stored earlier are unaffected.
 * @param passkeyRoots undefined without `PASSKEY_ROOTS`
 */
export function faultsOfReach(
  passkeyRoots: TrustedRoots | undefined,
  verifiers: VerificationConfig['verifierConfigs'],
  pointer: string,
): Fault[] {
  if (passkeyRoots !== undefined || verifiers?.liveness?.leastAssurance !== 'high') return []
  const message =
    'Must be low or standard: without PASSKEY_ROOTS this deployment trusts no device maker, so high cannot be reached.'
  return [{ pointer: `${pointer}/liveness/leastAssurance`, message }]
}
