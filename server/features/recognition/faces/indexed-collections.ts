import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { ChangeLog } from './change-log.ts'
import type { FaceStore, Place } from './face-store.ts'
import type { SearchedFaces } from './searchable-faces.ts'

/** The kind of index that searches a collection. */
export type IndexKind = 'memory' | 'postgres'

/** A collection to be searched, as it was read. */
export interface IndexedCollection {
  readonly place: Place
  /** Opens its faces. */
  readonly key: Buffer
  /** Counts the changes of its faces. */
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
 * The port that prepares the faces of collections for search. Faces are in the store. An index is derived from them and
 * follows the changes that the store reports, so lost parts of it can be rebuilt.
 */
export interface FaceIndex {
  /** True if several searches of one collection may run at once in this process, and a repeated search continues from the previous one. */
  readonly isShared: boolean
  /**
   * The faces of a collection at its revision or later.
   * @throws {Problem} overloaded if they are not all loaded yet; search_incomplete if a server does not answer
   */
  ready(collection: IndexedCollection): Promise<SearchedFaces>
  /** Drops what this process has cached of it. */
  forget(place: Place): void
  /** Collections of which this process has something cached. */
  places(): readonly Place[]
  /** Removes data about its faces outside the store. @throws like `ready` */
  erase(place: Place): Promise<void>
  /** The same for every collection, after the store was restored. */
  eraseAll(): Promise<void>
  /** False if this number of additional faces would not fit, as far as this process knows; if absent, any number fits. */
  hasRoomFor?(collection: Omit<IndexedCollection, 'key'>, count: number): boolean
}
