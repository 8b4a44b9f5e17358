import { embeddingModel } from '#models/embedder.ts'
import { cosineOf } from '#models/similarity.ts'
import { createSearchableFaces } from '#server/recognition/searchable-faces.ts'
import type { RivalKind } from './rival.ts'

/** The product's own index of one collection. */
export const product: RivalKind = {
  title: 'the index of the product',
  open({ length }) {
    const faces = createSearchableFaces()
    return {
      insert(vectors, first) {
        for (let i = 0; i * length < vectors.length; i++) {
          const embedding = vectors.slice(i * length, (i + 1) * length)
          faces.add({ faceId: String(first + i), externalId: null, embeddingModel, embedding })
        }
      },
      closest(embedding, score) {
        const hit = faces.closest(embedding, score)
        return hit && { face: Number(hit.face.faceId), cosine: cosineOf(hit.score) }
      },
    }
  },
}
