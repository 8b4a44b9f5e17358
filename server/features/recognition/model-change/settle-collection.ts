import type { CollectionAccess } from '#server/features/recognition/collections/collection-access.ts'
import { noCollection } from '#server/features/recognition/endpoints/collections.ts'
import type { Place } from '#server/features/recognition/store/face-store.ts'

/** Faces per commit. */
const changedAtOnce = 200

/** The result of switching a collection from two models to one. */
export interface Settled {
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
): Promise<Settled> {
  let settledCount = 0
  let removedCount = 0
  for (;;) {
    const { place, model } = await access.use(accountId, collectionId, async ({ exists, place, models }) => {
      if (!exists) throw noCollection()
      return { place, model: models.embeddingModel }
    })
    const { seen, unseen } = await leftToDo(access, place, model)
    if (unseen.length > 0 && !removeUnseen) return { settledCount, removedCount, unseenCount: unseen.length }
    for (const faceIds of inBatches(unseen)) {
      removedCount += await access.change(accountId, collectionId, async (collection) => {
        const left = await collection.unseenAmong(faceIds)
        const change = await collection.remove(left)
        return { answer: change.removedCount, change }
      })
    }
    for (const faceIds of inBatches(seen)) {
      settledCount += await access.change(accountId, collectionId, async (collection) => {
        const change = await collection.settled(faceIds)
        return { answer: change.settledCount, change }
      })
    }
    const isDone = await access.change(accountId, collectionId, async (collection) => {
      const change = await collection.turned()
      return change === undefined ? { answer: false } : { answer: true, change }
    })
    if (isDone) return { settledCount, removedCount, unseenCount: 0 }
  }
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
