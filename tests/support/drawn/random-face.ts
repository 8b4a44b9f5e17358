import { toUnit } from '#models/rules/embedding.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

/** A unit vector as a network might return it. It belongs to no real person, is reproducible, and is different for every seed. */
export function randomEmbedding(seed: number, length = 512): Float32Array {
  const next = randomNumbers((seed + 1) * 0x9e3779b9)
  return toUnit(Float32Array.from({ length }, () => next() + next() + next() - 1.5))
}
