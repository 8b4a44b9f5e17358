import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import type { resetCollection } from '#shared/contract/recognition/verify.ts'
import type { Handler } from '#shared/endpoint.ts'

export type ResetCollection = Handler<typeof resetCollection, AccountCaller>

/** Limited so that other requests can run between two steps. */
const removedAtOnce = 500

/**
 * Deletes a collection's faces, but not the collection. [Note: Ours] Following the interface, a missing collection is
 * reported in `errorMessage` instead of as a status.
 */
export function createResetCollection(access: CollectionAccess): ResetCollection {
  const removeSome = (accountId: string, collectionName: string, most: number) =>
    access.change(accountId, collectionName, async (collection, writer) => {
      if (!collection.exists) return { answer: undefined }
      const removal = await writer.removeSome(most)
      return removal.removedCount === 0 ? { answer: 0 } : { answer: removal.removedCount, change: removal }
    })

  return async ({ query: { collectionName, entryLimit }, caller }) => {
    let deleted = 0
    while (deleted < entryLimit) {
      const most = Math.min(removedAtOnce, entryLimit - deleted)
      const removedCount = await removeSome(caller.accountId, collectionName, most)
      if (removedCount === undefined) return failed(deleted, 'The collection does not exist.')
      deleted += removedCount
      if (removedCount < most) break
    }
    return { numberOfEntriesDeleted: deleted, errorMessage: null }
  }
}

function failed(numberOfEntriesDeleted: number, errorMessage: string) {
  return { numberOfEntriesDeleted, errorMessage }
}
