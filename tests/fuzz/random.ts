/** Chance that repeats: the same seed draws the same. */
export interface Random {
  /** A number from 0 up to, and without, 1. */
  next(): number
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Mulberry32 over the mixed parts of a seed. */
export function createRandom(...seed: readonly number[]): Random {
  let state = seed.reduce((mixed, part) => Math.imul(mixed ^ part, 0x9e3779b1) + 0x7f4a7c15, 0x2545f491) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)]!,
  }
}
