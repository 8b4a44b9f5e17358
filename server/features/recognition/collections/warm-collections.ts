import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { CollectionAccess } from './collection-access.ts'

/**
 * Loads collections into memory so that their first search is as fast as later ones, for every account that has one with
 * these IDs. A collection that cannot be read does not affect the others. Returns the IDs that no account has.
 */
export async function warmCollections(
  accounts: Pick<Accounts, 'list'>,
  access: Pick<CollectionAccess, 'find' | 'read'>,
  collectionIds: readonly string[],
  onFailure: (error: unknown) => void,
): Promise<readonly string[]> {
  const missing = new Set(collectionIds)
  for (const { accountId } of collectionIds.length === 0 ? [] : await accounts.list()) {
    for (const collectionId of collectionIds) {
      try {
        if ((await access.find(accountId, collectionId)) === undefined) continue
        missing.delete(collectionId)
        await access.read(accountId, collectionId, async (collection) => void (await collection.gallery()))
      } catch (error) {
        missing.delete(collectionId)
        onFailure(error)
      }
    }
  }
  return [...missing]
}
