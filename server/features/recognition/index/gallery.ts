import type { ComparedModel, EmbeddingModel } from '#models/rules/embedding.ts'
import { cosineOf, scoreOf } from '#models/rules/similarity.ts'
import type { Face } from '#server/features/recognition/store/face.ts'
import type { Batch } from '#server/platform/store/store.ts'
import type { PersonFilter } from './person-filter.ts'

export type IndexedFace = Pick<Face, 'faceId' | 'externalId'>

/**
 * A search: a unit vector, the minimum likeness, the maximum number of faces, the faces to consider, and true to keep only
 * each person's best face.
 */
export type GallerySearch = readonly [
  embedding: Float32Array,
  likeness: number,
  most: number,
  filter?: PersonFilter,
  perPerson?: boolean,
]

export interface NearFace {
  readonly face: IndexedFace
  /** See `likenessBy`. */
  readonly likeness: number
}

/** A face that reaches the score of a search. */
export interface FaceMatch {
  readonly face: IndexedFace
  /** On the calibrated scale, from -1 to 100. */
  readonly score: number
  /** True if the former model's embedding found the face, because it has none by the current model. */
  readonly isFormer?: boolean
}

/** The nearest faces, and false if there may be more because the index reached one of its bounds or limits. */
export type NearFaces = readonly NearFace[] & { readonly isExact?: false }

/** A collection's faces, ready for search. */
export interface Gallery {
  /** The number of faces; correct once they have settled, until faces are added or removed. */
  readonly size: number
  /** The number of faces that a search compares against: the current network's faces. Correct under the same conditions as `size`. */
  readonly comparableCount: number
  /** During a model change, the faces that only have the former model's embedding. Searches of this gallery skip them. */
  readonly former?: Gallery
  /**
   * Up to `most` faces that reach the likeness, most similar first, with ties sorted by faceId. With `perPerson`, only each
   * external ID's best face counts.
   * @throws {Problem} overloaded if the faces are lost; search_incomplete if a server that stores some of them does not
   * answer
   */
  nearest(...search: GallerySearch): Promise<NearFaces>
  hasExternalId(externalId: string): Promise<boolean>
}

/** A gallery that this process fills. A search takes all earlier changes into account. */
export interface LocalGallery extends Gallery {
  /** True once the faces are lost, in which case the collection must be loaded again. */
  readonly isLost: boolean
  /** True if this many additional faces fit. If absent, any number fits. */
  readonly hasRoomFor?: (count: number) => boolean
  /** Adding an existing face is a no-op. */
  add(face: Face): void
  /** Absent if faces can only be added one by one. */
  readonly records?: RecordIntake
  /** Removes a face if it exists. */
  remove(faceId: string): void
  /** Resolves when every added or removed face has been taken into account. */
  settle(): Promise<void>
  /** Releases the memory. */
  close(): void
}

/** Adds faces by their stored records, which are opened elsewhere. */
export interface RecordIntake {
  /** Adds the faces of records sealed with the key. False if records are not accepted at the moment. */
  add(records: Batch, key: Uint8Array): boolean
  /**
   * Returns the accepted records that cannot be searched, so that the caller can find out why. Call it after the last records
   * and `settle`. Each record is reported once.
   */
  takeRefused(): readonly Uint8Array[]
}

/** Creates an empty gallery for one collection and one model's embeddings. */
export type CreateGallery = (model: EmbeddingModel) => LocalGallery

/** [Note: The same picture reaches 100] Sums of rounded numbers fall slightly short of 1, so a score this close counts as reached. */
const scoreTolerance = 1e-3

/** The lowest cosine that reaches a given score. */
export function cosineThatReaches(score: number, model: ComparedModel): number {
  return cosineOf(score - scoreTolerance, model)
}

/** A matching face's score, raised to 100 if it is within the tolerance. */
export function matchingScore(likeness: number, model: ComparedModel): number {
  const score = scoreOf(likeness, model)
  return score > 100 - scoreTolerance ? 100 : score
}

/** The most similar face by a model's embedding, if any face reaches the score. @throws {Problem} like `nearest` */
export async function closestByModel(
  gallery: Gallery,
  model: EmbeddingModel,
  embedding: ArrayLike<number>,
  atLeast: number,
  filter?: PersonFilter,
): Promise<FaceMatch | undefined> {
  const least = cosineThatReaches(atLeast, model)
  const [near] = await gallery.nearest(Float32Array.from(embedding), least, 1, filter)
  return near && { face: near.face, score: matchingScore(near.likeness, model) }
}
