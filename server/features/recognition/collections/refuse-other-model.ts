import { Problem } from '#shared/problem.ts'
import type { CollectionReader } from './collection-reader.ts'

/**
 * [Note: A collection keeps to one model] Its faces are never compared or mixed with another model's faces.
 * `pointer` is the place in the request that names the collection.
 * @throws {Problem} 400 if the faces belong to another model, unless it is the former model that is still kept
 */
export function refuseOtherModel({ record, models }: CollectionReader, pointer: string): void {
  const used = models.embeddingModel
  const { embeddingModel = used } = record
  if (embeddingModel === used || models.formerModel !== undefined) return
  const message = `Its faces have the embedding model ${embeddingModel}, which cannot be compared with this server's ${used}.`
  throw new Problem('invalid_request', 'The collection was created with another embedding model.', {
    errors: [{ pointer, message }],
  })
}
