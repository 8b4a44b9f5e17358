import { randomNumbers } from '../../shared/random-numbers.ts'

/** A reproducible source of random numbers. The same seed gives the same numbers. */
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** An integer in [0, end). */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Creates a source from the parts of a seed. */
export function createRandom(...seed: readonly number[]): Random {
  const mixed = seed.reduce((all, part) => Math.imul(all ^ part, 0x9e3779b1) + 0x7f4a7c15, 0x2545f491)
  const next = randomNumbers(mixed)
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)]!,
  }
}
