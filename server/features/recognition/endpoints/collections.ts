import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import { noCollection } from '#server/features/recognition/collections/no-collection.ts'
import type { Erasure } from '#server/features/recognition/erasure/erasure.ts'
import { refuseUnfitName } from '#server/platform/http/requests/new-name.ts'
import { Problem } from '#shared/problem.ts'

export type Collections = HandlersOf<
  'face-recognition',
  'getCollection' | 'getAllCollections' | 'createCollection' | 'updateCollection' | 'deleteCollection'
>

/** An account's collections: those it created, and those in which its sessions enrol faces. */
export function createCollections(access: CollectionAccess, erasure: Erasure): Collections {
  return {
    async getCollection({ query, caller }) {
      const collection = await access.find(caller.accountId, query.collectionId)
      if (collection === undefined) throw noCollection()
      const { collectionId, description, createdAt, updatedAt } = collection
      return { recognitionCollection: { collectionId, description, createdAt, updatedAt } }
    },
    async getAllCollections({ caller }) {
      const collections = []
      for await (const { collectionId, createdAt, updatedAt } of access.list(caller.accountId)) {
        collections.push({ collectionId, createdAt, updatedAt })
      }
      return { collections: collections.sort((a, b) => a.createdAt.localeCompare(b.createdAt)) }
    },
    createCollection: ({ body: { collectionId, description }, caller }) =>
      access.change(caller.accountId, collectionId, async (collection, writer) => {
        if (collection.exists) throw new Problem('conflict', 'A collection with this id exists.')
        refuseUnfitName('#/collectionId', collectionId)
        return { answer: { collectionId }, change: writer.describe(description) }
      }),
    updateCollection: ({ body: { collectionId, description }, caller }) =>
      access.change(caller.accountId, collectionId, async (collection, writer) => {
        if (!collection.exists) throw noCollection()
        const described = description === undefined ? collection.record.description : description
        return { answer: { collectionId }, change: writer.describe(described) }
      }),
    async deleteCollection({ query, caller }) {
      await erasure.eraseCollection(caller.accountId, query.collectionId)
      return {}
    },
  }
}
