import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { ChangeLog } from './change-log.ts'
import type { FaceStore, Place } from './face-store.ts'
import type { SearchedFaces } from './searchable-faces.ts'

/** Where the faces of a collection are searched. */
export type IndexKind = 'memory' | 'postgres'

/** A collection whose faces are to be searched, as it was read. */
export interface IndexedCollection {
  readonly place: Place
  /** Opens its faces. */
  readonly key: Buffer
  /** Counts the changes of its faces. */
  readonly revision: number
}

/** What every index reads faces from and by. */
export interface IndexSources {
  readonly changeLog: ChangeLog
  readonly faceStore: FaceStore
  readonly model: EmbeddingModel
  readonly formerModel?: EmbeddingModel | undefined
}

/**
 * The port behind which the faces of collections are made ready to be searched. Faces are in the store; an index is made of them, and follows
 * the changes that the store reports: what is lost of it is made anew.
 */
export interface FaceIndex {
  /**
   * True where several may search one collection at once in this process, and a search that is asked again goes on where the one before
   * ended.
   */
  readonly isShared: boolean
  /**
   * The faces of a collection as they are at its revision, or later.
   * @throws {Problem} overloaded where they are not all there yet; search_incomplete where a server does not answer
   */
  ready(collection: IndexedCollection): Promise<SearchedFaces>
  /** Gives up what this process holds of it. */
  forget(place: Place): void
  /** Of which collections this process holds something. */
  places(): readonly Place[]
  /** Removes what is kept of its faces outside of the store. @throws as `ready` */
  erase(place: Place): Promise<void>
  /** The same of every collection, where the store was put back. */
  eraseAll(): Promise<void>
  /** False where so many more faces of a collection would not fit, as far as this process knows; there is room for any where absent. */
  hasRoomFor?(collection: Omit<IndexedCollection, 'key'>, count: number): boolean
}
