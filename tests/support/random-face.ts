import { toUnit } from '#models/embedder.ts'

/** A unit vector as a network might make it: of nobody, always the same for a seed, unlike that of any other seed. */
export function randomEmbedding(seed: number, length = 512): Float32Array {
  let state = (seed + 1) * 0x9e3779b9
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return toUnit(Float32Array.from({ length }, () => next() + next() + next() - 1.5))
}
