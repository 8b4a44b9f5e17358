import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import { canonicalIdentity } from '#shared/identity/identity-text.ts'
import type { VerificationStore } from './verification-store.ts'

/** Equal names or IDs in one account, stored before duplicates were refused. */
export interface EqualNames {
  readonly kind: 'verifications' | 'collections'
  /** As stored. Each can be found only by its exact text. */
  readonly names: readonly string[]
}

/** Every group of equal verification names or collection IDs, in every account. */
export async function findEqualNames(
  accounts: Pick<Accounts, 'list'>,
  verifications: Pick<VerificationStore, 'listReadable'>,
  access: Pick<CollectionAccess, 'listReadable'>,
): Promise<EqualNames[]> {
  const found: EqualNames[] = []
  for (const { accountId } of await accounts.list()) {
    const names = await groupsOf(verifications.listReadable(accountId), ({ name }) => name)
    const ids = await groupsOf(access.listReadable(accountId), ({ collectionId }) => collectionId)
    found.push(
      ...names.map((group) => ({ kind: 'verifications' as const, names: group })),
      ...ids.map((group) => ({ kind: 'collections' as const, names: group })),
    )
  }
  return found
}

async function groupsOf<T>(all: AsyncIterable<T>, nameOf: (one: T) => string): Promise<string[][]> {
  const groups = new Map<string, string[]>()
  for await (const one of all) {
    const name = nameOf(one)
    const key = canonicalIdentity(name)
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}
