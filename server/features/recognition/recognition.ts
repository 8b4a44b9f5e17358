import type { EmbeddingModel, SecondModel } from '#models/rules/embedding.ts'
import type { AnalyseImage } from '#server/features/analysis/analysis.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import { type Candidates, createCandidates } from './candidates.ts'
import { type CollectionAccess, createCollectionAccess } from './collection-access.ts'
import { type Collections, createCollections } from './collections.ts'
import { createErasure, type Erasure } from './erasure/erasure.ts'
import type { TellRoom } from './faces/collections-in-memory.ts'
import type { IndexKind } from './faces/indexed-collections.ts'
import type { CreateIndex } from './faces/searchable-faces.ts'
import { createFaces, type Faces } from './faces.ts'
import { createKeptFaces, type KeptFaces } from './kept-faces.ts'
import type { FaceServers } from './partitions/collections-on-servers.ts'

export type { CollectionAccess, Decision } from './collection-access.ts'
export { type DominantFace, dominantFace, newFaceOf, wantedToRecognise } from './dominant-face.ts'
export type { TellRoom } from './faces/collections-in-memory.ts'
export type { NewerTemplates } from './faces/face-bytes.ts'
export { createFacesInThreads } from './faces/faces-in-threads.ts'
export type { IndexKind } from './faces/indexed-collections.ts'
export type { OpenCollection } from './faces/open-collection.ts'
export type {
  CreateIndex,
  Hit,
  NearestFound,
  SearchableFaces,
  SearchedFaces,
} from './faces/searchable-faces.ts'
export { type Answer, askGallery, closestTo, type Question } from './gallery.ts'
export { refuseUnfitPerson } from './new-person.ts'
export { createCodesAtHand } from './partitions/codes-at-hand.ts'
export type { FaceServers } from './partitions/collections-on-servers.ts'
export { createPartition } from './partitions/partition.ts'
export { importPictures } from './picture-import/import-pictures.ts'
export { openImportReport } from './picture-import/import-report.ts'
export { progressWords } from './picture-import/progress-words.ts'
export { mostRows } from './search/arena.ts'
export { createSearchThreads } from './search/search-threads.ts'
export { startSearchThread } from './search/start-search-thread.ts'
export { createThreadsOfModels } from './search/threads-of-models.ts'
export { settleCollection } from './settle-collection.ts'
export { exportCollection } from './transfer/collection-export.ts'
export { importCollection } from './transfer/collection-import.ts'
export { type Moved, moveCollection } from './transfer/move-collection.ts'
export {
  type UnreadableCollection,
  unreadableCollections,
  unreadableWords,
} from './unreadable-collections.ts'
export { warmCollections } from './warm-collections.ts'

/** All features that recognise faces. */
export interface Recognition extends Erasure {
  readonly access: CollectionAccess
  readonly collections: Collections
  readonly faces: Faces
  readonly keptFaces: KeptFaces
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
  readonly createIndex?: CreateIndex | undefined
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
    keptFaces: createKeptFaces(access),
    candidates: createCandidates(access, analyseImage),
  }
}
