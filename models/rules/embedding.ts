/**
 * The name under which embeddings are stored: of the network, and of the way in which it is used. Embeddings under two
 * names are never compared. [Note: Another way to embed is another model] 2: the mean of picture and mirror image.
 */
export type EmbeddingModel = 'fr-feature/2' | 'dlib-face/2'

/** How many numbers an embedding of each model has. */
export const embeddingLengths: Readonly<Record<EmbeddingModel, number>> = {
  'fr-feature/2': 512,
  'dlib-face/2': 128,
}

/** The model of the standard pack. */
export const embeddingModel: EmbeddingModel = 'fr-feature/2'

/** Scales a vector to length 1. A zero vector stays zero. */
export function toUnit(vector: ArrayLike<number>): Float32Array {
  const length = lengthOf(vector)
  const scale = length === 0 ? 0 : 1 / length
  return Float32Array.from(vector, (value) => value * scale)
}

/** Euclidean length of a vector. */
export function lengthOf(vector: ArrayLike<number>): number {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!
  return Math.sqrt(squares)
}
