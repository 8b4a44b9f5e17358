import type { EmbeddingModel, SecondModel } from '#models/rules/embedding.ts'
import type { AnalyseImage } from '#server/features/analysis/analyse-image.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { type CollectionAccess, createCollectionAccess } from './collection-access.ts'
import { type Collections, createCollections } from './collections.ts'
import { createErasure, type Erasure } from './erasure/erasure.ts'
import type { CreateIndex } from './faces/searchable-faces.ts'
import { createFaces, type Faces } from './faces.ts'

/** Everything that knows faces again. */
export interface Recognition extends Erasure {
  readonly access: CollectionAccess
  readonly collections: Collections
  readonly faces: Faces
  /** What sessions ask. */
}

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly analyseImage: AnalyseImage
  /** Of whose embeddings new faces are. */
  readonly model: EmbeddingModel
  readonly secondModel: SecondModel | undefined
  /** Of the embeddings that faces from before have. */
  readonly formerModel?: EmbeddingModel | undefined
  /** How many faces stay ready to be searched. */
  readonly facesInMemory?: number | undefined
  readonly createIndex?: CreateIndex | undefined
  readonly now: Clock
}

export function createRecognition(services: Dependencies): Recognition {
  const { store, keyRing, analyseImage, now } = services
  const access = createCollectionAccess(store, keyRing, now, services)
  const erasure = createErasure(store, access)
  return {
    ...erasure,
    access,
    collections: createCollections(access, erasure),
    faces: createFaces(access, analyseImage),
  }
}
