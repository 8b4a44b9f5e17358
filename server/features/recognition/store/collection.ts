import { randomBytes } from 'node:crypto'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock } from '#server/platform/store/store.ts'

/** The kind of index that searches a collection. */
export type IndexKind = 'memory' | 'postgres'

/** A stored face collection, under its account and its ID. */
export interface Collection {
  readonly collectionId: string
  readonly description: string | null
  readonly createdAt: string
  /** When the description, the only editable part, last changed. Adding and removing faces does not count. [Note: Ours] */
  readonly updatedAt: string
  /** Counts the changes to the faces. */
  readonly revision: number
  /** The ID under which the faces are stored. A collection that is re-created under an old ID does not share the old one's faces. */
  readonly galleryId: string
  /** The faces' embedding model, set by the first face; absent until then. */
  readonly embeddingModel?: string | undefined
  /** The second embeddings' model: the pack's model when the first face was added. Absent if faces have one embedding each. */
  readonly secondModel?: string | undefined
  /** The index that the faces were moved to; absent if the setting decides. */
  readonly faceIndex?: IndexKind | undefined
  /** The key that opens the faces. Deleting it erases them. */
  readonly sealedKey: string
}

interface CollectionIdentity {
  accountId: string
  collectionId: string
  description: string | null
}

export function newCollection(keyRing: KeyRing, now: Clock, named: CollectionIdentity): Collection {
  const { accountId, collectionId, description } = named
  const createdAt = new Date(now()).toISOString()
  return {
    collectionId,
    description,
    createdAt,
    updatedAt: createdAt,
    revision: 0,
    galleryId: randomBytes(16).toString('hex'),
    sealedKey: keyRing.seal('collection-key', `${accountId}/${collectionId}`, randomBytes(32)),
  }
}

export function keyOfCollection(keyRing: KeyRing, accountId: string, collection: Collection): Buffer {
  return keyRing.open('collection-key', `${accountId}/${collection.collectionId}`, collection.sealedKey)
}
