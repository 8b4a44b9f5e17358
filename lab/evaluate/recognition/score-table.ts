import type { Bounds } from '#lab/evaluate/figures.ts'
import type { AllPairs } from './all-pairs.ts'
import { errorRates } from './error-rates.ts'
import { personBootstrap } from './person-bootstrap.ts'

export interface ScorePoint {
  readonly score: number
  /** The negative decimal logarithm of the false match rate. */
  readonly exponent: number
  /** The lowest cosine at which no more impostors match than this rate, to three digits. */
  readonly cosine: number
  readonly extrapolated: boolean
}

const counted = [
  { score: 70, exponent: 3 },
  { score: 80, exponent: 4 },
  { score: 90, exponent: 5 },
] as const
const beyond = { score: 95, exponent: 6 } as const

/**
 * The cosine for each score, with its 95 % interval by person.
 *
 * [Note: One in a million is extrapolated] Up to 1e-5 the pairs are counted. At 1e-6 a handful of pairs would decide,
 * and the most similar strangers of a public set are people who are listed under two names. The logarithm of the
 * false match rate falls with the square of the cosine's distance from the strangers' mean, as a normal
 * distribution's does, so the last point is on the line through those of 1e-3 and 1e-5.
 */
export function scoreTable(pairs: AllPairs): { points: ScorePoint[]; bounds: Bounds[] } {
  const cosinesOf = (drawn?: ArrayLike<number>) => {
    const errors = errorRates(pairs, drawn)
    const cosines = counted.map(({ exponent }) => errors.thresholdAt(10 ** -exponent))
    return [...cosines, extrapolated(cosines[0]!, cosines[2]!, pairs.meanOfStrangers)]
  }
  const found = personBootstrap(pairs.samples.personCount, (drawn) =>
    Object.fromEntries(cosinesOf(drawn).entries()),
  )
  const cosines = cosinesOf()
  return {
    points: [...counted, beyond].map((point, i) => ({
      ...point,
      cosine: rounded(cosines[i]!),
      extrapolated: point === beyond,
    })),
    bounds: cosines.map((_, i) => found[i]!),
  }
}

/** Extrapolates by another decade from the points for 1e-3 and 1e-5. */
export function extrapolated(cosine3: number, cosine5: number, stranger: number): number {
  const [near, far] = [(cosine3 - stranger) ** 2, (cosine5 - stranger) ** 2]
  return stranger + Math.sqrt(far + (far - near) / 2)
}

/** Rounds to three digits, since the data does not support more. */
export function rounded(cosine: number): number {
  return Math.round(cosine * 1000) / 1000
}
