import { toUnit } from '#models/rules/embedding.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

/** A unit vector as a network might make it: of nobody, always the same for a seed, unlike that of any other seed. */
export function randomEmbedding(seed: number, length = 512): Float32Array {
  const next = randomNumbers((seed + 1) * 0x9e3779b9)
  return toUnit(Float32Array.from({ length }, () => next() + next() + next() - 1.5))
}
