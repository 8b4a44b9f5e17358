import type { Bounds } from '#lab/evaluate/figures.ts'
import { quantile } from '#lab/statistics/quantile.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'

const rounds = 200

/**
 * 95 % intervals for figures over pairs. People rather than pairs are drawn with replacement, because one person's pairs depend on each other (the
 * vertex bootstrap of Snijders and Borgatti 1999). `figures` receives how often each person was drawn. The same pairs always give the same
 * intervals.
 */
export function personBootstrap(
  personCount: number,
  figures: (drawn: Float64Array) => Readonly<Record<string, number>>,
): Record<string, Bounds> {
  const random = randomNumbers(personCount)
  const values = new Map<string, number[]>()
  for (let round = 0; round < rounds && personCount > 1; round++) {
    const drawn = new Float64Array(personCount)
    for (let i = 0; i < personCount; i++) {
      const person = Math.floor(random() * personCount)
      drawn[person] = drawn[person]! + 1
    }
    for (const [name, value] of Object.entries(figures(drawn))) {
      if (Number.isFinite(value)) values.set(name, [...(values.get(name) ?? []), value])
    }
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, boundsOf(list)]))
}

function boundsOf(values: readonly number[]): Bounds {
  return { low: quantile(values, 0.025), high: quantile(values, 0.975) }
}
