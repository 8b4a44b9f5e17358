import type { LabelledFace } from '#lab/evaluate/recognition/kept-embeddings.ts'
import { embeddingLengths, embeddingModel, toUnit } from '../../../models/rules/embedding.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'

const personCount = 2100
const directions = 150
/** After this many directions, the variance has dropped by a factor of e. */
const decay = 60
/** The share of a picture's embedding that depends on the person. */
const constancy = 0.7

/**
 * Synthetic people and pictures for machines without real ones. They are normally distributed over the same number of directions as real embeddings,
 * and one person in three has two pictures. Unlike real people, they have no lookalikes.
 */
export function inventedPeople(seed: number): LabelledFace[] {
  const random = randomNumbers(seed)
  const length = embeddingLengths[embeddingModel]
  const scales = Float64Array.from({ length }, (_, i) => (i < directions ? Math.exp(-i / decay / 2) : 0))
  const drawn = () => toUnit(scales.map((scale) => scale * normal(random)))
  return Array.from({ length: personCount }, (_, i) => {
    const person = drawn()
    return Array.from({ length: i % 3 === 0 ? 2 : 1 }, () => {
      const picture = drawn()
      const mixed = person.map(
        (value, k) => Math.sqrt(constancy) * value + Math.sqrt(1 - constancy) * picture[k]!,
      )
      return { person: String(i), embedding: toUnit(mixed) }
    })
  }).flat()
}

/** A standard normal number (Box and Muller 1958). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
