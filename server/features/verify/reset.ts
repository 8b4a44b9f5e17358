import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import type { resetCollection } from '#shared/contract/recognition/verify.ts'
import type { Handler } from '#shared/endpoint.ts'

export type ResetCollection = Handler<typeof resetCollection, AccountCaller>

/** So that others get their turn between two steps. */
const removedAtOnce = 500

/**
 * Deletes faces, and keeps the collection. [Note: Ours] `errorMessage` is the interface's word for what went wrong: a
 * collection that does not exist is reported there, not by a status.
 */
export function createResetCollection(access: CollectionAccess): ResetCollection {
  const removeSome = (accountId: string, collectionName: string, most: number) =>
    access.change(accountId, collectionName, async (collection) => {
      if (!collection.exists) return { answer: undefined }
      const removal = await collection.removeSome(most)
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
