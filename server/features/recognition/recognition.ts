import type { EmbeddingModel, SecondModel } from '#models/rules/embedding.ts'
import type { AnalyseImage } from '#server/features/analysis/analysis.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { type CollectionAccess, createCollectionAccess } from './collections/collection-access.ts'
import { type Candidates, createCandidates } from './endpoints/candidates.ts'
import { type Collections, createCollections } from './endpoints/collections.ts'
import { createEnrolledFaces, type EnrolledFaces } from './endpoints/enrolled-faces.ts'
import { createFaces, type Faces } from './endpoints/faces.ts'
import { createErasure, type Erasure } from './erasure/erasure.ts'
import type { CreateGallery } from './index/gallery.ts'
import type { TellRoom } from './index/memory/memory-index.ts'
import type { FaceServers } from './index/postgres/postgres-index.ts'
import type { IndexKind } from './store/collection.ts'

export type { CollectionAccess, Decision } from './collections/collection-access.ts'
export type { CollectionReader } from './collections/collection-reader.ts'
export type { CollectionWriter } from './collections/collection-writer.ts'
export { type DominantFace, dominantFace, makeFace, wantedToRecognise } from './collections/dominant-face.ts'
export { refuseOtherModel } from './collections/refuse-other-model.ts'
export { warmCollections } from './collections/warm-collections.ts'
export { refuseUnfitPerson } from './endpoints/new-person.ts'
export {
  closestInCollection,
  type PersonAnswer,
  type PersonQuestion,
  recognisePerson,
} from './endpoints/recognise-person.ts'
export { importPictures } from './import/import-pictures.ts'
export { openImportReport } from './import/import-report.ts'
export { progressWords } from './import/progress-words.ts'
export type { CreateGallery, FaceMatch, LocalGallery } from './index/gallery.ts'
export type { TellRoom } from './index/memory/memory-index.ts'
export { createCodeCache } from './index/postgres/code-cache.ts'
export { createPartition } from './index/postgres/partition.ts'
export type { FaceServers } from './index/postgres/postgres-index.ts'
export { mostRows } from './index/threads/arena.ts'
export { createSearchThreads } from './index/threads/search-threads.ts'
export { startSearchThread } from './index/threads/start-search-thread.ts'
export { createThreadedGallery } from './index/threads/threaded-gallery.ts'
export { createThreadsOfModels } from './index/threads/threads-of-models.ts'
export { renewTemplate } from './model-change/renew-template.ts'
export { settleCollection } from './model-change/settle-collection.ts'
export {
  type UnreadableCollection,
  unreadableCollections,
  unreadableWords,
} from './model-change/unreadable-collections.ts'
export type { IndexKind } from './store/collection.ts'
export type { NewerTemplates } from './store/face-bytes.ts'
export { exportCollection } from './transfer/collection-export.ts'
export { importCollection } from './transfer/collection-import.ts'
export { type MoveResult, moveCollection } from './transfer/move-collection.ts'

/** All features that recognise faces. */
export interface Recognition extends Erasure {
  readonly access: CollectionAccess
  readonly collections: Collections
  readonly faces: Faces
  readonly enrolledFaces: EnrolledFaces
  readonly candidates: Candidates
}

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly analyseImage: AnalyseImage
  /** The embedding model for new faces. */
  readonly model: EmbeddingModel
  readonly secondModel: SecondModel | undefined
  /** The model for older faces. */
  readonly formerModel?: EmbeddingModel | undefined
  /** How many faces are kept ready for search. */
  readonly facesInMemory?: number | undefined
  readonly createGallery?: CreateGallery | undefined
  readonly faceServers?: FaceServers | undefined
  readonly faceIndex?: IndexKind | undefined
  readonly tellRoom?: TellRoom | undefined
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
    enrolledFaces: createEnrolledFaces(access),
    candidates: createCandidates(access, analyseImage),
  }
}
