import * as v from 'valibot'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import { verificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { isUnknownName } from '#shared/contract/sections.ts'
import type { VerificationStore } from './verification-store.ts'

/** A verification with unknown names in its configuration, stored before they were refused. */
export interface UnknownNames {
  readonly verificationId: string
  readonly name: string
  /** The names' paths, such as `verifierConfigs.livness`. */
  readonly places: readonly string[]
}

/** All of these verifications, in every account. They still work, but the next change must remove the names. */
export async function findUnknownNames(
  accounts: Pick<Accounts, 'list'>,
  verifications: Pick<VerificationStore, 'listReadable'>,
): Promise<UnknownNames[]> {
  const found: UnknownNames[] = []
  for (const { accountId } of await accounts.list()) {
    for await (const { verificationId, name, verificationConfig: stored } of verifications.listReadable(
      accountId,
    )) {
      const places = placesOf(stored)
      if (places.length > 0) found.push({ verificationId, name, places })
    }
  }
  return found
}

function placesOf(stored: unknown): string[] {
  const { issues = [] } = v.safeParse(verificationConfig, stored)
  return issues.filter(isUnknownName).map((issue) => v.getDotPath(issue) ?? '')
}
