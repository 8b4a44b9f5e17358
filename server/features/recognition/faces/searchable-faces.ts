import { type ComparedModel, type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import { cosineOf, scoreOf } from '#models/rules/similarity.ts'
import type { Among } from '#server/features/recognition/search/face-rows.ts'
import type { Batch } from '#server/platform/store/store.ts'
import type { NewerTemplates, SecondTemplate } from './face-bytes.ts'

export interface Face {
  /** A UUID. */
  readonly faceId: string
  /** The caller's name for the person; null if none was given. */
  readonly externalId: string | null
  /** The network that made the embedding. Embeddings of two networks are never compared. */
  readonly embeddingModel: string
  /** Unit vector. */
  readonly embedding: Float32Array
  /** The embedding of a second network, which is not used for search. */
  readonly second?: SecondTemplate | undefined
  /** The successor model and its embedding of the face: both or neither. */
  readonly newerModel?: string | undefined
  readonly newer?: NewerTemplates | undefined
}

export type IndexedFace = Pick<Face, 'faceId' | 'externalId'>

/**
 * A search: a unit vector, the minimum likeness, the maximum number of faces, the faces to consider, and true to keep
 * only the best face of each person.
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
  /** On the calibrated scale, -1 to 100. */
  readonly score: number
  /** True if it was found by an embedding of the former model, since the face has none of the current one. */
  readonly isFormer?: boolean
}

/** The nearest faces, and false if more may be that near because a bound or limit of the index was reached. */
export interface NearestFound extends ReadonlyArray<Near> {
  readonly isExact?: false
}

/** The port that searches the faces of one collection. */
export interface SearchedFaces {
  /** Number of faces; correct once they are settled, until faces are added or removed. */
  readonly size: number
  /** Number of faces that a search compares with: those of the current network. Correct like `size`. */
  readonly comparableCount: number
  /** During a change of models, the faces with only an embedding of the former model. Other searches of this port skip them. */
  readonly former?: SearchedFaces
  /**
   * Present if the index relies on bounds. It finds the same faces above the match score as a full scan, except 1 in
   * 1,000 that only just reach it; below that score it may miss some. Must be notified of each search whose answer says
   * so.
   */
  readonly bounds?: { readonly tellInexact: () => void }
  /**
   * The most similar face, if one of the considered ones reaches the score.
   * @throws {Problem} overloaded if the faces are lost; search_incomplete if a server that stores some of them does not
   * answer
   */
  closest(embedding: Float32Array, atLeast: number, among?: Among): Promise<Hit | undefined>
  /**
   * Up to `most` faces that reach the likeness, most similar first, equal ones by faceId. With `perPerson`, only the best
   * face of each external id counts.
   * @throws {Problem} like `closest`
   */
  nearest(...sought: Sought): Promise<NearestFound>
  hasExternalId(externalId: string): Promise<boolean>
}

/** Faces that are searched in this process. Searches take effect after all earlier changes. */
export interface SearchableFaces extends SearchedFaces {
  /** True once the faces are lost: the collection must be loaded again. */
  readonly isLost: boolean
  readonly former?: SearchableFaces
  /** True if this number of additional faces fits; any number fits if absent. */
  readonly hasRoomFor?: (count: number) => boolean
  /** Adding an existing face changes nothing. */
  add(face: Face): void
  /**
   * Adds faces by their stored records, which are opened with the key elsewhere. False if records are not accepted now;
   * undefined if they never are.
   */
  readonly addRecords?: (records: Batch, key: Uint8Array) => boolean
  /**
   * After the last records and `settle`: records that were accepted but cannot be searched, so that the caller can find
   * out why. Each is reported once.
   */
  readonly refusedRecords?: () => readonly Uint8Array[]
  /** Removes a face if it exists. */
  remove(faceId: string): void
  /** Resolves when every added or removed face is taken into account. */
  settle(): Promise<void>
  /** Releases the memory. */
  close(): void
}

/** True if a face can be compared with those of a model. */
export function isComparable({ embeddingModel, embedding }: Face, model: EmbeddingModel): boolean {
  return embeddingModel === model && embedding.length === embeddingLengths[model]
}

/** Creates the empty index of one collection, for the embeddings of a model. */
export type CreateIndex = (model: EmbeddingModel) => SearchableFaces

/** [Note: The same picture reaches 100] Sums of rounded numbers miss 1 by a little, so a score counts as reached within this tolerance. */
const scoreTolerance = 1e-3

/** The lowest cosine that reaches a score. */
export function cosineThatReaches(score: number, model: ComparedModel): number {
  return cosineOf(score - scoreTolerance, model)
}

/** The score of a matching face, raised to 100 within the tolerance. */
export function scoreFound(likeness: number, model: ComparedModel): number {
  const score = scoreOf(likeness, model)
  return score > 100 - scoreTolerance ? 100 : score
}

/** The first of the nearest as a hit. */
export function hitOf([near]: readonly Near[], model: EmbeddingModel): Hit | undefined {
  return near && { face: near.face, score: scoreFound(near.likeness, model) }
}
