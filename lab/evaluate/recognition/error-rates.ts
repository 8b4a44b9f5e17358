import { crossing } from '#lab/statistics/roc.ts'
import type { AllPairs, Comparisons } from './all-pairs.ts'

/** Error rates of comparisons (0...1) if those at or above a threshold count as the same person. NaN if they were not measured. */
export interface ErrorRates {
  /** The share of impostor pairs that count as the same person. */
  falseMatchRate(threshold: number): number
  /** The share of genuine pairs that count as two people. */
  falseNonMatchRate(threshold: number): number
  /** The share of genuine pairs above the highest threshold at which at least this rate of impostors match. */
  trueMatchRateAt(falseMatchRate: number): number
  /** The lowest threshold at which no more than this rate of impostors match, up to the next impostor pair. */
  thresholdAt(falseMatchRate: number): number
  /** The rate at which both errors are equal. */
  equalErrorRate(): number
}

/**
 * The error rates over all pairs. `weights` is how often each person was drawn (a bootstrap by person). A pair of two people counts as the product
 * of their weights, and a pair of the same person as that person's weight.
 */
export function errorRates(pairs: AllPairs, weights?: ArrayLike<number>): ErrorRates {
  const { samples, genuine, impostor } = pairs
  const weightOf = (sample: number) => (weights === undefined ? 1 : weights[samples.persons[sample]!]!)
  const impostors = sums(impostor, (a, b) => weightOf(a) * weightOf(b))
  const own = sums(genuine, weightOf)
  const strangers = weights === undefined ? impostor.total : impostorWeight(pairs, weights)
  const all = own[own.length - 1]!

  function falseMatchRate(threshold: number): number {
    const reached = countFrom(impostor.cosines, threshold)
    const isBeyond = reached === impostor.cosines.length && reached < impostor.total
    return strangers === 0 || isBeyond ? Number.NaN : impostors[reached]! / strangers
  }

  function falseNonMatchRate(threshold: number): number {
    return all === 0 ? Number.NaN : 1 - own[countFrom(genuine.cosines, threshold)]! / all
  }

  function thresholdAt(rate: number): number {
    const allowed = lastUpTo(impostors, rate * strangers)
    if (strangers === 0 || allowed === impostor.cosines.length) return Number.NaN
    return justAbove(impostor.cosines[allowed]!)
  }

  return {
    falseMatchRate,
    falseNonMatchRate,
    thresholdAt,
    trueMatchRateAt: (rate) => 1 - falseNonMatchRate(thresholdAt(rate)),
    equalErrorRate: () => {
      if (all === 0 || strangers === 0) return Number.NaN
      const errorsAt = (place: number) => {
        if (place === 0) return { rising: 0, falling: 1 }
        const threshold = impostor.cosines[place - 1]!
        return { rising: falseMatchRate(threshold), falling: falseNonMatchRate(threshold) }
      }
      const place = firstWhere(impostor.cosines.length + 1, (i) => {
        const { rising, falling } = errorsAt(i)
        return !(rising < falling)
      })
      if (place > impostor.cosines.length) return whole(impostor) ? 1 : Number.NaN
      return crossing(errorsAt(place - 1), errorsAt(place))
    },
  }
}

const whole = ({ cosines, total }: Comparisons) => cosines.length === total

/** The first index from which a condition holds for all the rest, or `count` if there is none. */
function firstWhere(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const mid = (low + high) >> 1
    if (holds(mid)) high = mid
    else low = mid + 1
  }
  return low
}

/** The cumulative weights of the first 0, 1, 2... comparisons. */
function sums({ cosines, a, b }: Comparisons, weight: (a: number, b: number) => number): Float64Array {
  const summed = new Float64Array(cosines.length + 1)
  for (let i = 0; i < cosines.length; i++) summed[i + 1] = summed[i]! + weight(a[i]!, b[i]!)
  return summed
}

/** How many of the values, which are in descending order, reach a threshold. */
function countFrom(descending: Float32Array, threshold: number): number {
  return firstWhere(descending.length, (i) => descending[i]! < threshold)
}

/** The last index in the ascending sums that does not exceed a limit. */
function lastUpTo(ascending: Float64Array, limit: number): number {
  return firstWhere(ascending.length, (i) => ascending[i]! > limit) - 1
}

/** A threshold just above a cosine. The step is larger than the gap to the next single-precision number. */
function justAbove(cosine: number): number {
  return cosine + 1e-7
}

/** The total weight of all impostor pairs, listed or not: for each group, the square of the sum minus the sum of each person's square. */
function impostorWeight({ samples, groups }: AllPairs, weights: ArrayLike<number>): number {
  const wholes = new Map<number, { sum: number; ofPerson: Map<number, number> }>()
  for (let i = 0; i < samples.count; i++) {
    const group = groups?.[i] ?? 0
    const whole = wholes.get(group) ?? { sum: 0, ofPerson: new Map() }
    const person = samples.persons[i]!
    whole.sum += weights[person]!
    whole.ofPerson.set(person, (whole.ofPerson.get(person) ?? 0) + weights[person]!)
    wholes.set(group, whole)
  }
  let total = 0
  for (const { sum, ofPerson } of wholes.values()) {
    let squares = 0
    for (const weight of ofPerson.values()) squares += weight * weight
    total += (sum * sum - squares) / 2
  }
  return total
}
