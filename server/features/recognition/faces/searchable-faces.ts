import { type ComparedModel, type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import { cosineOf, scoreOf } from '#models/rules/similarity.ts'
import type { Among } from '#server/features/recognition/search/face-rows.ts'
import type { Batch } from '#server/platform/store/store.ts'
import type { NewerTemplates, SecondTemplate } from './face-bytes.ts'

export interface Face {
  /** A UUID. */
  readonly faceId: string
  /** Whose face it is, in the caller's words; null where nobody said. */
  readonly externalId: string | null
  /** The network that made the embedding: those of two networks are never compared. */
  readonly embeddingModel: string
  /** Unit vector. */
  readonly embedding: Float32Array
  /** What a second network makes of the face; nothing is searched by it. */
  readonly second?: SecondTemplate | undefined
  /** The model in whose place another one comes, and what that one makes of the face: both or none. */
  readonly newerModel?: string | undefined
  readonly newer?: NewerTemplates | undefined
}

export type IndexedFace = Pick<Face, 'faceId' | 'externalId'>

/** A search: a unit vector, the least likeness, the most faces, those among which it looks, and true to keep the best face of each person. */
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
  /** Found by an embedding of the former model: the face has none of the one in use. */
  readonly isFormer?: boolean
}

/** The nearest faces, and false where more may be that near: a bound or a limit of the index was reached. */
export interface NearestFound extends ReadonlyArray<Near> {
  readonly isExact?: false
}

/** The port behind which the faces of one collection are searched. */
export interface SearchedFaces {
  /** Every face; right once they are settled, until faces come or go. */
  readonly size: number
  /** Those that a search compares with: of the network in use. As `size`. */
  readonly comparableCount: number
  /** Where a former model is kept: the faces that have an embedding of that one alone. The rest of this port leaves them out of searches. */
  readonly former?: SearchedFaces
  /**
   * Where the index looks as far as bounds reach: those that reach the score of a match it finds as one that compares them all, but for 1 in
   * 1,000 that just reach it; of others it may leave some out. To be told of each search whose answer says so.
   */
  readonly bounds?: { readonly tellInexact: () => void }
  /**
   * The face that is most alike, where one of those that count reaches the score.
   * @throws {Problem} overloaded where the faces are lost; search_incomplete where a server that keeps some of them does not answer
   */
  closest(embedding: Float32Array, atLeast: number, among?: Among): Promise<Hit | undefined>
  /**
   * The faces that are most alike, `most` of them, if they reach the likeness; the first is the most alike, equal ones come by
   * faceId. With `perPerson` the best face alone counts of those that share an external id.
   * @throws {Problem} as `closest`
   */
  nearest(...sought: Sought): Promise<NearestFound>
  hasExternalId(externalId: string): Promise<boolean>
}

/** Faces that are searched in this process. What is asked comes after what was ordered before. */
export interface SearchableFaces extends SearchedFaces {
  /** True once the faces are lost: the collection must be loaded again. */
  readonly isLost: boolean
  readonly former?: SearchableFaces
  /** Whether so many more faces can be held; true where absent. */
  readonly hasRoomFor?: (count: number) => boolean
  /** A face that is there already changes nothing. */
  add(face: Face): void
  /**
   * Adds faces by their records in the store, which are opened with the key elsewhere. False where records are not taken, or
   * not yet; undefined where they never are.
   */
  readonly addRecords?: (records: Batch, key: Uint8Array) => boolean
  /** After the last records and `settle`: those that were taken and cannot be searched, for whoever knows why. Each is reported once. */
  readonly refusedRecords?: () => readonly Uint8Array[]
  /** Removes a face, where it is there. */
  remove(faceId: string): void
  /** Resolves when every face that came or went is known. */
  settle(): Promise<void>
  /** Gives up what is held. */
  close(): void
}

/** Whether a face is compared with those that a model makes. */
export function isComparable({ embeddingModel, embedding }: Face, model: EmbeddingModel): boolean {
  return embeddingModel === model && embedding.length === embeddingLengths[model]
}

/** Makes the index of one collection, empty, for the embeddings of a model. */
export type CreateIndex = (model: EmbeddingModel) => SearchableFaces

/**
 * [Note: The same picture reaches 100] Sums of rounded numbers miss 1 by a little: a score counts as reached when it
 * is this close.
 */
const scoreTolerance = 1e-3

/** The least cosine that counts as a score. */
export function cosineThatReaches(score: number, model: ComparedModel): number {
  return cosineOf(score - scoreTolerance, model)
}

/** The score of a face that was found: 100 where it is that close. */
export function scoreFound(likeness: number, model: ComparedModel): number {
  const score = scoreOf(likeness, model)
  return score > 100 - scoreTolerance ? 100 : score
}

/** The first of the nearest as a hit. */
export function hitOf([near]: readonly Near[], model: EmbeddingModel): Hit | undefined {
  return near && { face: near.face, score: scoreFound(near.likeness, model) }
}
