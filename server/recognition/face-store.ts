import { randomBytes, randomUUID } from 'node:crypto'
import { type KeyRing, open, seal } from '#server/security/key-ring.ts'
import type { Clock, Guard, Store, Write } from '#server/store/store.ts'
import { createTable } from '#server/store/tables.ts'

interface Collection {
  readonly collectionId: string
  readonly createdAt: string
  readonly updatedAt: string
  /** Counts every change: a commit that adds a face holds only where nobody changed the collection meanwhile. */
  readonly revision: number
  /** Deleting the key erases the faces. */
  readonly sealedKey: string
}

interface StoredFace {
  readonly faceId: string
  readonly created: string
  readonly embeddingModel: string
  /** External id and embedding, sealed with the collection's key. */
  readonly sealed: string
}

export interface Face {
  readonly faceId: string
  readonly externalId: string | null
  /** The network that made the embedding: those of two networks are never compared. */
  readonly embeddingModel: string
  readonly embedding: Float32Array
}

/** A collection as it was read, with what a commit needs to add to it. */
export interface OpenCollection {
  readonly faces: readonly Face[]
  /** The writes that add a face, and the guard that nothing else has changed. */
  add(face: Omit<Face, 'faceId'>): { faceId: string; writes: Write[]; guards: Guard[] }
  /** The guard alone, for a decision that adds nothing. */
  readonly unchanged: Guard
}

export interface FaceStore {
  open(accountId: string, collectionId: string): Promise<OpenCollection>
}

/** Faces of collections. An embedding is treated as a face: it is never in the clear in the store. */
export function createFaceStore(store: Store, keyRing: KeyRing, now: Clock): FaceStore {
  const collections = createTable<Collection>(store, 'collection')
  const faces = createTable<StoredFace>(store, 'face')
  const timestamp = () => new Date(now()).toISOString()

  const keyOf = (accountId: string, collection: Collection) =>
    keyRing.open('collection-key', `${accountId}/${collection.collectionId}`, collection.sealedKey)

  function newCollection(accountId: string, collectionId: string): Collection {
    const sealedKey = keyRing.seal('collection-key', `${accountId}/${collectionId}`, randomBytes(32))
    return { collectionId, createdAt: timestamp(), updatedAt: timestamp(), revision: 0, sealedKey }
  }

  return {
    async open(accountId, collectionId) {
      const read = await collections.read(accountId, collectionId)
      const collection = read?.value ?? newCollection(accountId, collectionId)
      const unchanged = read?.guard ?? collections.absent(accountId, collectionId)
      const key = keyOf(accountId, collection)
      const owner = `${accountId}/${collectionId}`
      const known: Face[] = []
      for await (const stored of faces.list(owner)) known.push(unseal(stored, key))
      return {
        faces: known,
        unchanged,
        add(face) {
          const faceId = randomUUID()
          const { embeddingModel } = face
          const stored = { faceId, created: timestamp(), embeddingModel, sealed: sealFace(key, faceId, face) }
          const changed = { ...collection, updatedAt: timestamp(), revision: collection.revision + 1 }
          const writes = [
            collections.write(accountId, collectionId, changed),
            faces.write(owner, faceId, stored),
          ]
          return { faceId, writes, guards: [unchanged] }
        },
      }
    },
  }
}

function sealFace(key: Buffer, faceId: string, face: Omit<Face, 'faceId'>): string {
  const { externalId, embeddingModel, embedding } = face
  const bytes = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength)
  const content = { externalId, embedding: bytes.toString('base64') }
  return seal(key, contextOf(faceId, embeddingModel), Buffer.from(JSON.stringify(content)))
}

function unseal({ faceId, embeddingModel, sealed }: StoredFace, key: Buffer): Face {
  const content = JSON.parse(open(key, contextOf(faceId, embeddingModel), sealed).toString()) as {
    externalId: string | null
    embedding: string
  }
  const bytes = Uint8Array.from(Buffer.from(content.embedding, 'base64'))
  const embedding = new Float32Array(bytes.buffer)
  return { faceId, externalId: content.externalId, embeddingModel, embedding }
}

/** Neither an embedding nor the name of its network can be moved to another face. */
function contextOf(faceId: string, embeddingModel: string): string {
  return `${embeddingModel}/${faceId}`
}
