import { randomNumbers } from '../../shared/random-numbers.ts'

/** A repeatable random source: the same seed gives the same numbers. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number
  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Mixes the parts of a seed. */
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
