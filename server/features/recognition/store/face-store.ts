import { createHmac, randomUUID } from 'node:crypto'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { type Batch, type Clock, inPassing, type Store, type Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import type { EnrolledFace, NewFace } from './face.ts'
import type { FaceHead } from './face-bytes.ts'
import { type FaceRecord, faceRecordCodec, sealFace, unsealFace } from './face-record.ts'

/** The location of faces: a gallery that belongs to an account's collection. */
export interface Place {
  readonly accountId: string
  readonly collectionId: string
  readonly galleryId: string
}

/** The location of a face with an external ID. */
export interface FacePointer {
  readonly collectionId: string
  readonly faceId: string
}

/** The stored faces. Embeddings are protected like pictures of faces: neither they nor external IDs are stored unencrypted. */
export interface FaceStore {
  readonly writes: FaceWrites
  has(place: Place, faceId: string): Promise<boolean>
  /** True if the face exists and has this external ID. Does not need a key. */
  isOf(place: Place, faceId: string, externalId: string): Promise<boolean>
  /** @throws if the face was altered, or sealed with another key */
  get(place: Place, key: Buffer, faceId: string): Promise<EnrolledFace | undefined>
  /** The parts of faces that can be read without a key. */
  heads(place: Place): AsyncIterable<FaceHead>
  /** @throws if a face was altered, or sealed with another key */
  list(place: Place, key: Buffer): AsyncIterable<EnrolledFace>
  /** A page of faces after a given one, in `list` order. @throws like `list` */
  page(place: Place, key: Buffer, limit: number, afterFaceId?: string): Promise<EnrolledFace[]>
  /** All faces' records; see `open` and `openForSearch`. */
  records(place: Place): AsyncIterable<Batch>
  /** @throws if the face was altered, or sealed with another key */
  open(record: Uint8Array, key: Buffer): EnrolledFace
  /** Every face with an external ID, in all of the account's collections. */
  ofExternalId(accountId: string, externalId: string): AsyncIterable<FacePointer>
}

/** The writes that change faces when they are committed. */
export interface FaceWrites {
  /** Adds a face, under a new ID unless it already has one. */
  add(place: Place, key: Buffer, face: NewFace): { faceId: string; writes: Write[] }
  /** Restores a face under its original ID. @throws if the ID is not valid */
  restore(place: Place, key: Buffer, face: EnrolledFace): Write[]
  /** Gives a stored face a different external ID, or none. */
  rename(place: Place, key: Buffer, face: EnrolledFace, externalId: string | null): Write[]
  /** Removes a face; empty if it does not exist. */
  remove(place: Place, faceId: string): Promise<Write[]>
  /** Removes each face, in no particular order. */
  removals(place: Place): AsyncIterable<{ faceId: string; writes: Write[] }>
}

export function createFaceStore(store: Store, keyRing: KeyRing, now: Clock): FaceStore {
  const faces = createTable<FaceRecord>(store, 'face', { codec: faceRecordCodec })
  const pointers = createPointers(store, keyRing)

  /** The writes for a face or its removal, and for the entry that finds it by its external ID. */
  function write(place: Place, { faceId, externalIdHash }: FaceHead, face: FaceRecord | undefined): Write[] {
    const written = faces.write(ownerOf(place), faceId, face)
    return [written, ...pointers.write(place, externalIdHash, faceId, face !== undefined)]
  }

  function restore(place: Place, key: Buffer, face: EnrolledFace): Write[] {
    const { faceId, created, embeddingModel, externalId, newerModel } = face
    const externalIdHash = pointers.hashFor(place.accountId, externalId)
    const head = { faceId, created, embeddingModel, externalIdHash, newerModel }
    return write(place, head, sealFace(key, head, face))
  }

  const writes: FaceWrites = {
    restore,
    add(place, key, face) {
      const { faceId = randomUUID() } = face
      const created = new Date(now()).toISOString()
      return { faceId, writes: restore(place, key, { ...face, faceId, created }) }
    },
    rename(place, key, face, externalId) {
      const [before, after] = [face.externalId, externalId].map((id) => pointers.hashFor(place.accountId, id))
      const former = before === after ? [] : pointers.write(place, before ?? null, face.faceId, false)
      return [...former.map(inPassing), ...restore(place, key, { ...face, externalId })]
    },
    async remove(place, faceId) {
      const stored = await faces.get(ownerOf(place), faceId)
      return stored === undefined ? [] : write(place, stored, undefined)
    },
    async *removals(place) {
      for await (const head of faces.list(ownerOf(place))) {
        yield { faceId: head.faceId, writes: write(place, head, undefined) }
      }
    },
  }

  return {
    writes,
    has: async (place, faceId) => (await faces.get(ownerOf(place), faceId)) !== undefined,
    async isOf(place, faceId, externalId) {
      const stored = await faces.get(ownerOf(place), faceId)
      return stored?.externalIdHash === pointers.hashFor(place.accountId, externalId)
    },
    async get(place, key, faceId) {
      const stored = await faces.get(ownerOf(place), faceId)
      return stored && opened(stored, key)
    },
    heads: (place) => faces.list(ownerOf(place)),
    list: (place, key) => openedEach(faces.list(ownerOf(place)), key),
    page: async (place, key, limit, afterFaceId) =>
      (await takeFirst(faces.list(ownerOf(place), afterFaceId), limit)).map((stored) => opened(stored, key)),
    records: (place) => faces.batches(ownerOf(place)),
    open: (record, key) => opened(faceRecordCodec.decode(record), key),
    ofExternalId: pointers.ofExternalId,
  }
}

/** Finds an external ID's faces by its keyed hash. */
function createPointers(store: Store, keyRing: KeyRing) {
  const table = createTable<FacePointer>(store, 'face-by-external-id')
  const hashKey = keyRing.derive('external-id-hash')
  const hash = (accountId: string, externalId: string) =>
    createHmac('sha256', hashKey).update(`${accountId}/${externalId}`).digest('base64url')
  return {
    hashFor: (accountId: string, externalId: string | null) =>
      externalId === null ? null : hash(accountId, externalId),
    /** Empty for a face without an external ID. */
    write(
      { accountId, collectionId, galleryId }: Place,
      of: string | null,
      faceId: string,
      isThere: boolean,
    ) {
      const pointer = isThere ? { collectionId, faceId } : undefined
      return of === null ? [] : [table.write(`${accountId}/${of}`, `${galleryId}/${faceId}`, pointer)]
    },
    ofExternalId: (accountId: string, externalId: string) =>
      table.list(`${accountId}/${hash(accountId, externalId)}`),
  }
}

/** The owner name for a gallery's records. */
export function ownerOf({ accountId, galleryId }: Place): string {
  return `${accountId}/${galleryId}`
}

function opened(stored: FaceRecord, key: Buffer): EnrolledFace {
  const { faceId, created, embeddingModel, newerModel } = stored
  const head = { faceId, created, embeddingModel, ...(newerModel !== undefined && { newerModel }) }
  return { ...head, ...unsealFace(key, stored) }
}

async function* openedEach(all: AsyncIterable<FaceRecord>, key: Buffer): AsyncGenerator<EnrolledFace> {
  for await (const stored of all) yield opened(stored, key)
}

async function takeFirst<T>(all: AsyncIterable<T>, limit: number): Promise<T[]> {
  const found: T[] = []
  for await (const one of all) if (found.push(one) >= limit) break
  return found
}
