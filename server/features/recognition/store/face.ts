import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import type { FaceContent, FaceHead, NewerTemplates, SecondTemplate } from './face-bytes.ts'

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

export interface NewFace extends Omit<Face, 'faceId'> {
  /** A fixed ID, if the face must have one; see `faceIdFrom`. */
  readonly faceId?: string
}

/** A stored face with its creation time. */
export interface EnrolledFace extends Face {
  readonly created: string
}

/** True if a face can be compared with a model's faces. */
export function isComparable({ embeddingModel, embedding }: Face, model: EmbeddingModel): boolean {
  return embeddingModel === model && embedding.length === embeddingLengths[model]
}

type FaceTemplates = Pick<FaceHead, 'embeddingModel' | 'newerModel'> &
  Pick<FaceContent, 'embedding' | 'second' | 'newer'>

/** Reduces a face to one model's embeddings if it has them, or returns it unchanged. [Note: Two embedding models while people return] */
export function reduceToModel<F extends FaceTemplates>(
  face: F,
  model: string,
): Omit<F, 'newer' | 'newerModel'> {
  const { newer, newerModel, ...older } = face
  if (newer === undefined || newerModel !== model) return older
  const { second: _, ...rest } = older
  return { ...(rest as Omit<F, 'newer' | 'newerModel'>), embeddingModel: model, ...newer }
}
