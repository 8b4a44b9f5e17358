/**
 * The name under which embeddings are stored: the network, and the way it is used. Embeddings with different names are
 * never compared. [Note: Another way to embed is another model] 2: the mean of picture and mirror image.
 */
export type EmbeddingModel = 'fr-feature/2' | 'dlib-face/2'

/** The model for a second embedding, which is combined with the first one to compare two faces but is not used for searches. */
export type SecondModel = 'foamliu-face/1'

/** A pair of models. Their cosines are averaged. [Note: A table of its own for each embedding model] */
export type PairModel = `fr-feature/2+${SecondModel}`

/** The model or pair used to compare two faces. It determines what a cosine means. */
export type ComparedModel = EmbeddingModel | PairModel

/** The models used for searches. Their embeddings have different lengths. */
export const searchedModels: readonly EmbeddingModel[] = ['fr-feature/2', 'dlib-face/2']

/** The embedding length of each model. */
export const embeddingLengths: Readonly<Record<EmbeddingModel | SecondModel, number>> = {
  'fr-feature/2': 512,
  'dlib-face/2': 128,
  'foamliu-face/1': 128,
}

/** Finds the model whose embeddings have this length. @throws {RangeError} if there is none */
export function searchedModelOf(length: number): EmbeddingModel {
  const model = searchedModels.find((one) => embeddingLengths[one] === length)
  if (model === undefined) throw new RangeError(`No model makes embeddings of ${length} numbers`)
  return model
}

/** The name of the pair that combines a second model with the first. */
export function pairOf(second: SecondModel): PairModel {
  return `fr-feature/2+${second}`
}

/** The standard pack's model. */
export const embeddingModel: EmbeddingModel = 'fr-feature/2'

/** Scales a vector to length 1. A zero vector stays zero. */
export function toUnit(vector: ArrayLike<number>): Float32Array {
  const length = lengthOf(vector)
  const scale = length === 0 ? 0 : 1 / length
  return Float32Array.from(vector, (value) => value * scale)
}

/** The Euclidean length of a vector. */
export function lengthOf(vector: ArrayLike<number>): number {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!
  return Math.sqrt(squares)
}
