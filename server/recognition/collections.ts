import type { AccountCaller } from '#server/accounts/caller.ts'
import type {
  createCollection,
  deleteCollection,
  getAllCollections,
  getCollection,
  updateCollection,
} from '#shared/contract/recognition/recognition.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import type { CollectionAccess } from './collection-access.ts'
import type { Erasure } from './erasure/erasure.ts'

export interface Collections {
  get: Handler<typeof getCollection, AccountCaller>
  getAll: Handler<typeof getAllCollections, AccountCaller>
  create: Handler<typeof createCollection, AccountCaller>
  update: Handler<typeof updateCollection, AccountCaller>
  remove: Handler<typeof deleteCollection, AccountCaller>
}

/** The collections of an account: those that it made, and those in which its sessions keep faces. */
export function createCollections(access: CollectionAccess, erasure: Erasure): Collections {
  return {
    async get({ query, caller }) {
      const collection = await access.find(caller.accountId, query.collectionId)
      if (collection === undefined) throw noCollection()
      const { collectionId, description, createdAt, updatedAt } = collection
      return { recognitionCollection: { collectionId, description, createdAt, updatedAt } }
    },
    async getAll({ caller }) {
      const collections = []
      for await (const { collectionId, createdAt, updatedAt } of access.list(caller.accountId)) {
        collections.push({ collectionId, createdAt, updatedAt })
      }
      return { collections: collections.sort((a, b) => a.createdAt.localeCompare(b.createdAt)) }
    },
    create: ({ body: { collectionId, description }, caller }) =>
      access.change(caller.accountId, collectionId, async (collection) => {
        if (collection.exists) throw new Problem('conflict', 'A collection with this id exists.')
        return { answer: { collectionId }, change: collection.describe(description) }
      }),
    update: ({ body: { collectionId, description }, caller }) =>
      access.change(caller.accountId, collectionId, async (collection) => {
        if (!collection.exists) throw noCollection()
        const described = description === undefined ? collection.record.description : description
        return { answer: { collectionId }, change: collection.describe(described) }
      }),
    async remove({ query, caller }) {
      await erasure.eraseCollection(caller.accountId, query.collectionId)
      return {}
    },
  }
}

export function noCollection(): Problem {
  return new Problem('not_found', 'There is no such collection.')
}
