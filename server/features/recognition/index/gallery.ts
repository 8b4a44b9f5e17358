import { type ComparedModel, type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import { cosineOf, scoreOf } from '#models/rules/similarity.ts'
import type { NewerTemplates, SecondTemplate } from '#server/features/recognition/store/face-bytes.ts'
import type { Batch } from '#server/platform/store/store.ts'
import type { Among } from './threads/face-rows.ts'

export interface Face {
  /** A UUID. */
  readonly faceId: string
  /** The caller's name for the person; null if none was given. */
  readonly externalId: string | null
  /** The network that made the embedding. Embeddings by different networks are never compared. */
  readonly embeddingModel: string
  /** A unit vector. */
  readonly embedding: Float32Array
  /** A second network's embedding, which is not used for search. */
  readonly second?: SecondTemplate | undefined
  /** The successor model and its embedding for this face: both or neither. */
  readonly newerModel?: string | undefined
  readonly newer?: NewerTemplates | undefined
}

export type IndexedFace = Pick<Face, 'faceId' | 'externalId'>

/**
 * A search: a unit vector, the minimum likeness, the maximum number of faces, the faces to consider, and true to keep only
 * each person's best face.
 */
export type Sought = readonly [
  embedding: Float32Array,
  likeness: number,
  most: number,
  among?: Among,
  perPerson?: boolean,
]

export interface Near {
  readonly face: IndexedFace
  /** See `likenessBy`. */
  readonly likeness: number
}

export interface Hit {
  readonly face: IndexedFace
  /** On the calibrated scale, from -1 to 100. */
  readonly score: number
  /** True if the former model's embedding found the face, because it has none by the current model. */
  readonly isFormer?: boolean
}

/** The nearest faces, and false if there may be more because the index reached one of its bounds or limits. */
export interface NearestFound extends ReadonlyArray<Near> {
  readonly isExact?: false
}

/** The port that searches one collection's faces. */
export interface SearchedFaces {
  /** The number of faces; correct once they have settled, until faces are added or removed. */
  readonly size: number
  /** The number of faces that a search compares against: the current network's faces. Correct under the same conditions as `size`. */
  readonly comparableCount: number
  /** During a model change, the faces that only have the former model's embedding. This port's other searches skip them. */
  readonly former?: SearchedFaces
  /**
   * Present if the index relies on bounds. It finds the same faces above the match score as a full scan, except 1 in
   * 1,000 that only just reach it; below that score it may miss some. Must be notified of each search whose answer says
   * so.
   */
  readonly bounds?: { readonly tellInexact: () => void }
  /**
   * The most similar face, if any candidate reaches the score.
   * @throws {Problem} overloaded if the faces are lost; search_incomplete if a server that stores some of them does not
   * answer
   */
  closest(embedding: Float32Array, atLeast: number, among?: Among): Promise<Hit | undefined>
  /**
   * Up to `most` faces that reach the likeness, most similar first, with ties sorted by faceId. With `perPerson`, only each
   * external ID's best face counts.
   * @throws {Problem} like `closest`
   */
  nearest(...sought: Sought): Promise<NearestFound>
  hasExternalId(externalId: string): Promise<boolean>
}

/** Faces that this process searches. A search takes all earlier changes into account. */
export interface SearchableFaces extends SearchedFaces {
  /** True once the faces are lost, in which case the collection must be loaded again. */
  readonly isLost: boolean
  readonly former?: SearchableFaces
  /** True if this many additional faces fit. If absent, any number fits. */
  readonly hasRoomFor?: (count: number) => boolean
  /** Adding an existing face is a no-op. */
  add(face: Face): void
  /**
   * Adds faces by their stored records, which are opened with the key elsewhere. False if records are not accepted at the
   * moment; undefined if they never are.
   */
  readonly addRecords?: (records: Batch, key: Uint8Array) => boolean
  /**
   * Returns the accepted records that cannot be searched, so that the caller can find out why. Call it after the last records
   * and `settle`. Each record is reported once.
   */
  readonly refusedRecords?: () => readonly Uint8Array[]
  /** Removes a face if it exists. */
  remove(faceId: string): void
  /** Resolves when every added or removed face has been taken into account. */
  settle(): Promise<void>
  /** Releases the memory. */
  close(): void
}

/** True if a face can be compared with a model's faces. */
export function isComparable({ embeddingModel, embedding }: Face, model: EmbeddingModel): boolean {
  return embeddingModel === model && embedding.length === embeddingLengths[model]
}

/** Creates an empty index for one collection and one model's embeddings. */
export type CreateIndex = (model: EmbeddingModel) => SearchableFaces

/** [Note: The same picture reaches 100] Sums of rounded numbers fall slightly short of 1, so a score this close counts as reached. */
const scoreTolerance = 1e-3

/** The lowest cosine that reaches a given score. */
export function cosineThatReaches(score: number, model: ComparedModel): number {
  return cosineOf(score - scoreTolerance, model)
}

/** A matching face's score, raised to 100 if it is within the tolerance. */
export function scoreFound(likeness: number, model: ComparedModel): number {
  const score = scoreOf(likeness, model)
  return score > 100 - scoreTolerance ? 100 : score
}

/** Converts the first of the nearest faces to a hit. */
export function hitOf([near]: readonly Near[], model: EmbeddingModel): Hit | undefined {
  return near && { face: near.face, score: scoreFound(near.likeness, model) }
}
