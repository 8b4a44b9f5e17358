import type { Accounts } from '#server/features/accounts/accounts.ts'
import { type AccountCaller, answerFor } from '#server/features/callers/callers.ts'
import { refuseFaults } from '#server/features/packs/packs.ts'
import { refuseUnfitName } from '#server/platform/http/requests/new-name.ts'
import type { TrustedRoots } from '#server/platform/web-authn/attestation/trusted-roots.ts'
import type { VerificationDetail } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { scopes as everyScope, mayGrant } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { faultsOfReach } from './out-of-reach.ts'
import type { VerificationStore } from './verification-store.ts'
import { weakens } from './weakening.ts'

/** The name and the configuration after a write. */
export interface Change {
  readonly name: string
  readonly verificationConfig: VerificationConfig
}

/** The facts about a verification that decide if a write is accepted. */
interface Surroundings {
  readonly verifications: Pick<VerificationStore, 'readByName'>
  readonly accounts: Pick<Accounts, 'find' | 'keys'>
  readonly passkeyRoots: TrustedRoots | undefined
}

/** [Note: Signed by default] `forceSignedInput` is true by default, and the stored configuration shows it. */
export function completed({ name, verificationConfig }: Change): Change {
  const securityConfig = {
    ...verificationConfig.securityConfig,
    forceSignedInput: verificationConfig.securityConfig?.forceSignedInput ?? true,
  }
  return { name, verificationConfig: { ...verificationConfig, securityConfig } }
}

/** @throws {Problem} 400 */
export function refuseOutOfReach(
  { passkeyRoots }: Pick<Surroundings, 'passkeyRoots'>,
  { verificationConfig }: Change,
): void {
  refuseFaults(
    faultsOfReach(passkeyRoots, verificationConfig.verifierConfigs, '#/verificationConfig/verifierConfigs'),
  )
}

/**
 * @throws {Problem} 400 for an invalid name, 409 for one that equals another verification's; a stored name that is sent
 * again is always accepted
 */
export async function refuseNewName(
  { verifications }: Pick<Surroundings, 'verifications'>,
  { accountId }: AccountCaller,
  before: VerificationDetail,
  { name }: Change,
): Promise<void> {
  if (name === before.name) return
  refuseUnfitName('#/name', name)
  const named = await verifications.readByName(accountId, name)
  if (named !== undefined && named.value.verificationId !== before.verificationId) throw nameTaken()
}

/** Refuses a change that the caller may not make. @throws {Problem} 403 */
export async function mayChange(
  shelf: Surroundings,
  caller: AccountCaller,
  before: VerificationDetail | undefined,
  change: Change,
): Promise<void> {
  const former = before?.verificationConfig ?? {}
  // A new verification weakens nothing. An operator in the console must still confirm the addresses in it, since other
  // people may send visitors there.
  const isNewByKey = before === undefined && caller.via !== 'operator'
  await mayAimWebhook(shelf, caller, former, change.verificationConfig)
  answerFor(caller, isNewByKey ? [] : weakens(former, completed(change).verificationConfig))
}

/**
 * [Note: Webhooks carry a key] A webhook's receiver gets the account's primary key, so a caller who sets its address needs all
 * of that key's scopes; otherwise `configure` would lead to `admin`. A caller who leaves the address unchanged needs no
 * further scope.
 */
async function mayAimWebhook(
  { accounts }: Pick<Surroundings, 'accounts'>,
  caller: AccountCaller,
  before: VerificationConfig,
  after: VerificationConfig,
): Promise<void> {
  const address = after.webhookConfig?.eventCallbackUrl
  if (address === undefined || address === before.webhookConfig?.eventCallbackUrl) return
  const account = await accounts.find(caller.accountId)
  const primary = account && (await accounts.keys.find(caller.accountId, account.primaryKeyId))
  const needed = everyScope.filter((scope) => primary?.scopes.includes(scope))
  if (!needed.every((scope) => mayGrant(caller.scopes, scope)))
    throw new Problem(
      'forbidden',
      'Setting eventCallbackUrl requires every scope of the primary key, which webhooks carry.',
    )
}

export function nameTaken(): Problem {
  return new Problem('conflict', 'A verification with this name exists.')
}
