import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { CreateIndex, SearchableFaces } from '#server/features/recognition/index/gallery.ts'
import { asOf } from '#server/features/recognition/store/face.ts'

/**
 * A collection's faces during a model change: faces with the current model's embedding, and separately, faces with only the
 * former one. A face that receives its new embedding is reported as a new face, and moves.
 */
export function createFacesOfTwoModels(
  createIndex: CreateIndex,
  model: EmbeddingModel,
  formerModel: EmbeddingModel,
): SearchableFaces {
  const newest = createIndex(model)
  const former = createIndex(formerModel)
  return {
    former,
    get size() {
      return newest.size + former.size
    },
    get comparableCount() {
      return newest.comparableCount + former.comparableCount
    },
    get isLost() {
      return newest.isLost || former.isLost
    },
    hasRoomFor: (count) => newest.hasRoomFor?.(count) ?? true,
    add(face) {
      const seen = asOf(face, model)
      if (seen.embeddingModel === model) newest.add(seen)
      else former.add(seen)
    },
    remove(faceId) {
      newest.remove(faceId)
      former.remove(faceId)
    },
    closest: (...sought) => newest.closest(...sought),
    nearest: (...sought) => newest.nearest(...sought),
    hasExternalId: async (externalId) =>
      (await newest.hasExternalId(externalId)) || former.hasExternalId(externalId),
    async settle() {
      await newest.settle()
      await former.settle()
    },
    close() {
      newest.close()
      former.close()
    },
  }
}
