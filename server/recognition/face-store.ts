import { createHmac, randomUUID } from 'node:crypto'
import { type KeyRing, open, seal } from '#server/security/key-ring.ts'
import type { Clock, Store, Write } from '#server/store/store.ts'
import { createTable } from '#server/store/tables.ts'
import type { Face } from './searchable-faces.ts'

/** Where faces are: the gallery of a collection of an account. */
export interface Place {
  readonly accountId: string
  readonly collectionId: string
  readonly galleryId: string
}

interface StoredFace {
  readonly faceId: string
  readonly created: string
  readonly embeddingModel: string
  /** External id and embedding, sealed with the collection's key. */
  readonly sealed: string
  /** A keyed hash: finds the faces of an external id without telling it. */
  readonly externalIdHash: string | null
}

export type NewFace = Omit<Face, 'faceId'>

/** Where a face of an external id is kept. */
export interface Whereabouts extends Place {
  readonly faceId: string
}

/** Faces in the store. An embedding is treated as a face: it is never in the clear there, nor is an external id. */
export interface FaceStore {
  /** The writes that add a face under a new id. */
  add(place: Place, key: Buffer, face: NewFace): { faceId: string; writes: Write[] }
  /** The writes that remove a face; none where it is not there. */
  remove(place: Place, faceId: string): Promise<Write[]>
  /** The ids of faces, with the writes that remove each; in no order that means anything. */
  removals(place: Place): AsyncIterable<{ faceId: string; writes: Write[] }>
  /** @throws when a face was altered, or sealed with another key */
  list(place: Place, key: Buffer): AsyncIterable<Face>
  /** Every face that an account keeps of an external id, in all of its collections. */
  ofExternalId(accountId: string, externalId: string): AsyncIterable<Whereabouts>
}

export function createFaceStore(store: Store, keyRing: KeyRing, now: Clock): FaceStore {
  const faces = createTable<StoredFace>(store, 'face')
  const byExternalId = createTable<Whereabouts>(store, 'face-by-external-id')
  const hashKey = keyRing.derive('external-id-hash')

  const ownerOf = ({ accountId, galleryId }: Place) => `${accountId}/${galleryId}`
  const personOf = (accountId: string, hash: string) => `${accountId}/${hash}`
  const hashOf = (accountId: string, externalId: string) =>
    createHmac('sha256', hashKey).update(`${accountId}/${externalId}`).digest('base64url')

  /** The entry that finds a face by its external id. */
  function pointer(
    place: Place,
    faceId: string,
    hash: string | null,
    value: Whereabouts | undefined,
  ): Write[] {
    if (hash === null) return []
    return [byExternalId.write(personOf(place.accountId, hash), `${place.galleryId}/${faceId}`, value)]
  }

  const removal = (place: Place, { faceId, externalIdHash }: StoredFace): Write[] => [
    faces.write(ownerOf(place), faceId, undefined),
    ...pointer(place, faceId, externalIdHash, undefined),
  ]

  return {
    add(place, key, face) {
      const faceId = randomUUID()
      const { embeddingModel, externalId } = face
      const externalIdHash = externalId === null ? null : hashOf(place.accountId, externalId)
      const created = new Date(now()).toISOString()
      const sealed = sealFace(key, faceId, face)
      const stored = { faceId, created, embeddingModel, sealed, externalIdHash }
      const { accountId, collectionId, galleryId } = place
      const whereabouts = { accountId, collectionId, galleryId, faceId }
      const writes = [
        faces.write(ownerOf(place), faceId, stored),
        ...pointer(place, faceId, externalIdHash, whereabouts),
      ]
      return { faceId, writes }
    },
    async remove(place, faceId) {
      const stored = await faces.get(ownerOf(place), faceId)
      return stored === undefined ? [] : removal(place, stored)
    },
    async *removals(place) {
      for await (const stored of faces.list(ownerOf(place))) {
        yield { faceId: stored.faceId, writes: removal(place, stored) }
      }
    },
    async *list(place, key) {
      for await (const stored of faces.list(ownerOf(place))) yield unseal(stored, key)
    },
    ofExternalId: (accountId, externalId) =>
      byExternalId.list(personOf(accountId, hashOf(accountId, externalId))),
  }
}

function sealFace(key: Buffer, faceId: string, face: NewFace): string {
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
