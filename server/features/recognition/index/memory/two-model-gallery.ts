import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { CreateGallery, LocalGallery } from '#server/features/recognition/index/gallery.ts'
import { reduceToModel } from '#server/features/recognition/store/face.ts'

/**
 * A collection's faces during a model change: faces with the current model's embedding, and separately, faces with only the
 * former one. A face that receives its new embedding is reported as a new face, and moves.
 */
export function createTwoModelGallery(
  createGallery: CreateGallery,
  model: EmbeddingModel,
  formerModel: EmbeddingModel,
): LocalGallery {
  const newest = createGallery(model)
  const former = createGallery(formerModel)
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
      const seen = reduceToModel(face, model)
      if (seen.embeddingModel === model) newest.add(seen)
      else former.add(seen)
    },
    remove(faceId) {
      newest.remove(faceId)
      former.remove(faceId)
    },
    nearest: (...search) => newest.nearest(...search),
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
