import { type EmbeddingModel, embeddingLengths, type SecondModel } from '#models/rules/embedding.ts'
import { likenessBy, personPart } from '#models/rules/person-part.ts'

/** The searched model whose embeddings have as many numbers. */
function modelOf({ length }: ArrayLike<number>): EmbeddingModel {
  return length === embeddingLengths['fr-feature/2'] ? 'fr-feature/2' : 'dlib-face/2'
}

/** A unit vector, in double precision, that is as alike to `own` as wanted; what else it shows is of `away`. */
export function withLikeness(
  own: ArrayLike<number>,
  away: ArrayLike<number>,
  wanted: number,
  model: EmbeddingModel | SecondModel = modelOf(own),
): number[] {
  const towards = unit(personPart(own, model))
  const along = dot(towards, away)
  const across = unit(Array.from(away, (value, i) => value - along * towards[i]!))
  const share = wanted / likenessBy(own, towards, model)
  return towards.map((value, i) => share * value + Math.sqrt(1 - share ** 2) * across[i]!)
}

function unit(vector: ArrayLike<number>): number[] {
  const norm = Math.sqrt(dot(vector, vector))
  return Array.from(vector, (value) => value / norm)
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
