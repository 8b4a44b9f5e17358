import { randomBytes } from 'node:crypto'
import type { IndexKind } from '#server/features/recognition/faces/indexed-collections.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock } from '#server/platform/store/store.ts'

/** A collection of faces as stored, under its account and its id. */
export interface Collection {
  readonly collectionId: string
  readonly description: string | null
  readonly createdAt: string
  /** When the description last changed, which is the only thing that can be edited. Added and removed faces do not count. [Note: Ours] */
  readonly updatedAt: string
  /** Counts the changes of the faces. */
  readonly revision: number
  /** The id under which the faces are stored. A collection that is re-created under an old id shares no faces with the old one. */
  readonly galleryId: string
  /** The embedding model of its faces, set by the first one; absent until then. */
  readonly embeddingModel?: string | undefined
  /** The model of their second embeddings: that of the pack when the first face was added. Absent if faces have one embedding each. */
  readonly secondModel?: string | undefined
  /** The index that its faces were moved to; absent if the setting decides. */
  readonly faceIndex?: IndexKind | undefined
  /** Opens the faces. Deleting it erases them. */
  readonly sealedKey: string
}

interface Named {
  accountId: string
  collectionId: string
  description: string | null
}

export function newCollection(keyRing: KeyRing, now: Clock, named: Named): Collection {
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
