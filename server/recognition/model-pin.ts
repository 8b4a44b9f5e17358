import type { Read, Table } from '#server/store/tables.ts'
import type { Collection } from './collection.ts'
import type { FaceStore } from './faces/face-store.ts'

interface Known {
  readonly collections: Table<Collection>
  readonly faceStore: FaceStore
  /** The embedding model that is in use here. */
  readonly model: string
}

/** Reads a collection. One that names another model but has no face left is of none, and takes any. */
export async function readWithModel(
  { collections, faceStore, model }: Known,
  accountId: string,
  collectionId: string,
): Promise<Read<Collection> | undefined> {
  const read = await collections.read(accountId, collectionId)
  if (read === undefined || (read.value.embeddingModel ?? model) === model) return read
  const place = { accountId, collectionId, galleryId: read.value.galleryId }
  for await (const _face of faceStore.heads(place)) return read
  return { ...read, value: { ...read.value, embeddingModel: undefined } }
}
