import type { Bounds, Figures } from '#lab/evaluate/figures.ts'
import { wilson } from '#lab/statistics/wilson.ts'
import { cosineOf } from '../../../models/rules/similarity.ts'
import { type AllPairs, compareAll } from './all-pairs.ts'
import { errorRates } from './error-rates.ts'
import { personBootstrap } from './person-bootstrap.ts'
import type { Samples } from './samples.ts'

/** The API's scores for false match rates of 1e-3 to 1e-6. */
export const scores = [70, 80, 90, 95] as const

const falseMatchRates = ['1e-2', '1e-3', '1e-4', '1e-5'] as const
/** A rate is only measured if at least this many pairs can be expected. */
export const fewestExpected = 3

/** EER, true matches at given false match rates, and both errors at the product's scores, over all pairs, with intervals by person. */
export function addPairFigures(figures: Figures, samples: Samples): AllPairs {
  const pairs = comparedFarEnough(samples)
  const [genuine, impostors] = [pairs.genuine.total, pairs.impostor.total]
  const rates = falseMatchRates.filter((rate) => Number(rate) * impostors >= fewestExpected)
  const bounds = personBootstrap(samples.personCount, (drawn) => pairRates(pairs, rates, drawn))
  for (const [name, value] of Object.entries(pairRates(pairs, rates))) {
    const n = name.startsWith('fmr') ? impostors : genuine
    figures.add(name, value, Number.isFinite(value) ? n : 0, widened(bounds[name], value, n))
  }
  return pairs
}

/** Listing only a few impostor pairs is faster, but the two errors may not meet until further down the list. */
function comparedFarEnough(samples: Samples): AllPairs {
  const pairs = compareAll(samples)
  const isShort = pairs.genuine.total > 0 && Number.isNaN(errorRates(pairs).equalErrorRate())
  return isShort ? compareAll(samples, { listed: 1 }) : pairs
}

function pairRates(
  pairs: AllPairs,
  rates: readonly string[],
  drawn?: ArrayLike<number>,
): Record<string, number> {
  const errors = errorRates(pairs, drawn)
  const { model } = pairs.samples
  return {
    eer: errors.equalErrorRate(),
    ...Object.fromEntries(rates.map((rate) => [`tarAtFmr${rate}`, errors.trueMatchRateAt(Number(rate))])),
    ...Object.fromEntries(
      scores.map((score) => [`fmrAtScore${score}`, errors.falseMatchRate(cosineOf(score, model))]),
    ),
    ...Object.fromEntries(
      scores.map((score) => [`fnmrAtScore${score}`, errors.falseNonMatchRate(cosineOf(score, model))]),
    ),
  }
}

/**
 * A bootstrap knows nothing about cases that are missing from the sample (such as when there is no false match at all), so the interval is never
 * narrower than Wilson's.
 */
export function widened(bounds: Bounds | undefined, value: number, n: number): Bounds {
  const plain = wilson(value * n, n)
  return { low: Math.min(bounds?.low ?? 1, plain.low), high: Math.max(bounds?.high ?? 0, plain.high) }
}
