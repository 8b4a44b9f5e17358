import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { ChangeLog } from '#server/features/recognition/store/change-log.ts'
import type { FaceStore, Place } from '#server/features/recognition/store/face-store.ts'
import type { Gallery } from './gallery.ts'

/** A collection to search, as it was read. */
export interface CollectionRevision {
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
 * The port that opens collections' galleries. The faces are in the store. An index is derived from them and follows the
 * changes that the store reports, so any lost part can be rebuilt.
 */
export interface FaceIndex {
  /** True if this process may search a collection several times at once, and a repeated search continues from the previous one. */
  readonly isShared: boolean
  /**
   * Present if the index relies on bounds. It finds the same faces above the match score as a full scan, except 1 in
   * 1,000 that only just reach it; below that score it may miss some. Must be notified of each search whose answer says
   * so.
   */
  readonly onInexact?: () => void
  /**
   * A collection's gallery at its revision or later.
   * @throws {Problem} overloaded if the faces are not all loaded yet; search_incomplete if a server does not answer
   */
  open(collection: CollectionRevision): Promise<Gallery>
  /** Drops this process's cache for the collection. */
  forget(place: Place): void
  /** The collections for which this process has cached data. */
  places(): readonly Place[]
  /** Removes data about the collection's faces outside the store. @throws like `open` */
  erase(place: Place): Promise<void>
  /** Does the same for every collection, after the store was restored. */
  eraseAll(): Promise<void>
  /** False if this many additional faces would not fit, as far as this process knows. If absent, any number fits. */
  hasRoomFor?(collection: Omit<CollectionRevision, 'key'>, count: number): boolean
}
