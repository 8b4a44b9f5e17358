import type {
  CollectionAccess,
  Decision,
} from '#server/features/recognition/collections/collection-access.ts'
import type { CollectionReader } from '#server/features/recognition/collections/collection-reader.ts'
import type { CollectionWriter } from '#server/features/recognition/collections/collection-writer.ts'
import { noCollection } from '#server/features/recognition/collections/no-collection.ts'
import { reduceToModel } from '#server/features/recognition/store/face.ts'
import type { Place } from '#server/features/recognition/store/face-store.ts'

/** Faces per commit. */
const changedAtOnce = 200

/** The result of switching a collection from two models to one. */
export interface SettlementCounts {
  /** How many faces now have only the current model's embedding. */
  readonly settledCount: number
  /** How many faces lacked that embedding and were removed. */
  readonly removedCount: number
  /** How many faces lack one. As long as there are any, nothing is changed. */
  readonly unseenCount: number
}

/**
 * Switches a collection from two models to one: faces keep the current model's embeddings, and the former model's are
 * removed. [Note: Two embedding models while people return] Faces with only former embeddings prevent this, unless they are
 * to be removed. Repeating an interrupted run completes it.
 * @throws {Problem} not_found
 */
export async function settleCollection(
  access: CollectionAccess,
  {
    accountId,
    collectionId,
    removeUnseen,
  }: { accountId: string; collectionId: string; removeUnseen: boolean },
): Promise<SettlementCounts> {
  let settledCount = 0
  let removedCount = 0
  for (;;) {
    const { place, model } = await access.read(accountId, collectionId, async ({ exists, place, models }) => {
      if (!exists) throw noCollection()
      return { place, model: models.embeddingModel }
    })
    const { seen, unseen } = await leftToDo(access, place, model)
    if (unseen.length > 0 && !removeUnseen) return { settledCount, removedCount, unseenCount: unseen.length }
    for (const faceIds of inBatches(unseen)) {
      removedCount += await access.change(accountId, collectionId, async (collection, writer) => {
        const change = await writer.remove(await unseenAmong(collection, faceIds))
        return { answer: change.removedCount, change }
      })
    }
    for (const faceIds of inBatches(seen)) {
      settledCount += await access.change(accountId, collectionId, async (collection, writer) => {
        const faces = await renewedAmong(collection, faceIds)
        return { answer: faces.length, change: writer.replace(faces) }
      })
    }
    const isDone = await access.change(accountId, collectionId, (collection, writer) =>
      pinToModel(access, collection, writer),
    )
    if (isDone) return { settledCount, removedCount, unseenCount: 0 }
  }
}

/** The faces that only have the former model's embeddings. */
async function unseenAmong(collection: CollectionReader, faceIds: readonly string[]): Promise<string[]> {
  const { embeddingModel } = collection.models
  const read = await Promise.all(faceIds.map((faceId) => collection.get(faceId)))
  return read.flatMap((face) =>
    face === undefined || [face.embeddingModel, face.newerModel].includes(embeddingModel)
      ? []
      : [face.faceId],
  )
}

/** The faces that have embeddings by the current model, without those by the former one. */
async function renewedAmong({ get, models }: CollectionReader, faceIds: readonly string[]) {
  const { embeddingModel } = models
  const read = await Promise.all(faceIds.map((faceId) => get(faceId)))
  return read.flatMap((face) =>
    face?.newerModel === embeddingModel ? [reduceToModel(face, embeddingModel)] : [],
  )
}

/** Converts the collection to the current model, unless a face belongs to another one. */
async function pinToModel(
  { faceStore }: CollectionAccess,
  { place, models: { embeddingModel, secondModel } }: CollectionReader,
  writer: CollectionWriter,
): Promise<Decision<boolean>> {
  for await (const face of faceStore.heads(place)) {
    if (face.embeddingModel !== embeddingModel) return { answer: false }
  }
  return { answer: true, change: writer.amend({ embeddingModel, secondModel }) }
}

/** The faces with another model's embedding: those that also have one by the current model, and those that do not. */
async function leftToDo(access: CollectionAccess, place: Place, model: string) {
  const [seen, unseen]: string[][] = [[], []]
  for await (const { faceId, embeddingModel, newerModel } of access.faceStore.heads(place)) {
    if (embeddingModel === model) continue
    if (newerModel === model) seen!.push(faceId)
    else unseen!.push(faceId)
  }
  return { seen: seen!, unseen: unseen! }
}

function* inBatches(faceIds: readonly string[]): Generator<string[]> {
  for (let start = 0; start < faceIds.length; start += changedAtOnce) {
    yield faceIds.slice(start, start + changedAtOnce)
  }
}
