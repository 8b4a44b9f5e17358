import type { Store } from '#server/store/store.ts'
import type { Read, Table } from '#server/store/tables.ts'
import type { Collection } from './collection.ts'
import type { FaceStore, Place } from './faces/face-store.ts'

interface Known {
  readonly store: Store
  readonly collections: Table<Collection>
  readonly faceStore: FaceStore
  /** The embedding model that is in use here. */
  readonly model: string
}

/**
 * Reads a collection, and sees to it that the model that it names is that of its faces. [Note: A model that is not named]
 * Collections were filled before they named their model, and models were used before their names had a version. Where
 * any face is of the model in use the collection is of it, and the others are kept beside, never compared; where none is
 * the collection is of another model. Where there is no face left it is of none, and takes any.
 */
export async function readWithModel(
  { store, collections, faceStore, model }: Known,
  accountId: string,
  collectionId: string,
): Promise<Read<Collection> | undefined> {
  for (;;) {
    const read = await collections.read(accountId, collectionId)
    if (read === undefined) return undefined
    const { value, guard } = read
    if (value.revision === 0 || value.embeddingModel === model) return read
    const place = { accountId, collectionId, galleryId: value.galleryId }
    const found = await modelOf(faceStore, place, value.embeddingModel, model)
    if (found === value.embeddingModel) return read
    await store.commit(
      [collections.write(accountId, collectionId, { ...value, embeddingModel: found })],
      [guard],
    )
  }
}

async function modelOf(faceStore: FaceStore, place: Place, named: string | undefined, used: string) {
  let found: string | undefined
  for await (const { embeddingModel } of faceStore.heads(place)) {
    if (named !== undefined || embeddingModel === used) return named ?? used
    found ??= embeddingModel
  }
  return found
}
