import { certainScore, searchThreshold } from '#models/rules/search-threshold.ts'
import type { Templates } from '#models/rules/templates.ts'
import type { CollectionChange } from '#server/features/recognition/collections/collection-change.ts'
import type { CollectionReader } from '#server/features/recognition/collections/collection-reader.ts'
import type { CollectionWriter } from '#server/features/recognition/collections/collection-writer.ts'
import { newestTemplates } from '#server/features/recognition/collections/dominant-face.ts'
import type { FaceMatch } from '#server/features/recognition/index/gallery.ts'

/**
 * Gives a face that the former model identified its embeddings by the current model, made from the same picture. Undefined
 * if it has them, or the match is uncertain. [Note: Two embedding models while people return] After a wrong embedding, its
 * person would match this face from then on. So the required score is one that a stranger hardly ever reaches, however
 * large the collection is.
 */
export async function renewTemplate(
  collection: CollectionReader,
  writer: CollectionWriter,
  match: FaceMatch | undefined,
  templates: Templates,
): Promise<CollectionChange | undefined> {
  const { models } = collection
  if (match?.isFormer !== true || models.formerModel === undefined) return undefined
  const { comparableCount } = await collection.gallery()
  const { score } = searchThreshold(comparableCount, models.formerModel)
  if (match.score < Math.max(certainScore, score)) return undefined
  const face = await collection.get(match.face.faceId)
  // Another search may have renewed it since this one found it.
  if (face === undefined || face.newerModel === models.embeddingModel) return undefined
  return writer.replace([
    { ...face, newerModel: models.embeddingModel, newer: newestTemplates(templates, models) },
  ])
}
