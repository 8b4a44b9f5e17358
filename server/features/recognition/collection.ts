import { randomBytes } from 'node:crypto'
import type { IndexKind } from '#server/features/recognition/faces/indexed-collections.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock } from '#server/platform/store/store.ts'

/** A collection of faces as it stands in the store, under its account and its id. */
export interface Collection {
  readonly collectionId: string
  readonly description: string | null
  readonly createdAt: string
  /** When the description changed last: it is all that can be changed. Faces that come and go leave it. [Note: Ours] */
  readonly updatedAt: string
  /** Counts the changes of the faces. */
  readonly revision: number
  /** Under which the faces are kept. A collection that is made anew under an old id has none of the old one's. */
  readonly galleryId: string
  /** The embedding model of its faces: that of the first one. Absent until there is one. */
  readonly embeddingModel?: string | undefined
  /** That of their second embeddings: the pack's when the first face came. Absent where they have one embedding each. */
  readonly secondModel?: string | undefined
  /** Where its faces are searched, once they were moved; absent where the setting decides. */
  readonly faceIndex?: IndexKind | undefined
  /** Opens the faces: without it they are erased. */
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
