import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { ChangeLog } from '#server/features/recognition/store/change-log.ts'
import type { FaceStore, Place } from '#server/features/recognition/store/face-store.ts'
import type { SearchedFaces } from './gallery.ts'

/** The kind of index that searches a collection. */
export type IndexKind = 'memory' | 'postgres'

/** A collection to search, as it was read. */
export interface IndexedCollection {
  readonly place: Place
  /** The key that opens its faces. */
  readonly key: Buffer
  /** Counts the changes to its faces. */
  readonly revision: number
}

/** The sources from which every index reads faces. */
export interface IndexSources {
  readonly changeLog: ChangeLog
  readonly faceStore: FaceStore
  readonly model: EmbeddingModel
  readonly formerModel?: EmbeddingModel | undefined
}

/**
 * The port that prepares collections' faces for search. The faces are in the store. An index is derived from them and
 * follows the changes that the store reports, so any lost part can be rebuilt.
 */
export interface FaceIndex {
  /** True if this process may search a collection several times at once, and a repeated search continues from the previous one. */
  readonly isShared: boolean
  /**
   * A collection's faces at its revision or later.
   * @throws {Problem} overloaded if they are not all loaded yet; search_incomplete if a server does not answer
   */
  ready(collection: IndexedCollection): Promise<SearchedFaces>
  /** Drops this process's cache for the collection. */
  forget(place: Place): void
  /** The collections for which this process has cached data. */
  places(): readonly Place[]
  /** Removes data about the collection's faces outside the store. @throws like `ready` */
  erase(place: Place): Promise<void>
  /** Does the same for every collection, after the store was restored. */
  eraseAll(): Promise<void>
  /** False if this many additional faces would not fit, as far as this process knows. If absent, any number fits. */
  hasRoomFor?(collection: Omit<IndexedCollection, 'key'>, count: number): boolean
}
