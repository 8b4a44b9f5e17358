import { groupBy } from '#lab/statistics/bootstrap.ts'
import { mean } from '#lab/statistics/quantile.ts'
import { logistic, logit } from '../../../models/rules/liveness/logit.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'

/** A living person's presentation: its liveness score (0...1), and its share of the person's single vote. */
export interface Vote {
  readonly score: number
  readonly vote: number
}

/** Each person counts once. If there are several recordings of a person, the vote is divided among them. */
export function votesOf<T extends { readonly person: string }>(
  living: readonly T[],
): (T & { vote: number })[] {
  return [...groupBy(living, ({ person }) => person).values()].flatMap((own) =>
    own.map((one) => ({ ...one, vote: 1 / own.length })),
  )
}

/** The share of people who are rejected by a limit, 0...1. */
export function shareRefused(votes: readonly Vote[], limit: number): number {
  return sumOf(votes.filter(({ score }) => score < limit)) / sumOf(votes)
}

/** The highest limit that rejects at most this share of the people. Infinite if there are no people. */
export function limitRefusing(votes: readonly Vote[], share: number): number {
  const most = share * sumOf(votes) + 1e-9
  let refused = 0
  for (const { score, vote } of [...votes].sort((a, b) => a.score - b.score)) {
    refused += vote
    if (refused > most) return score
  }
  return Number.POSITIVE_INFINITY
}

function sumOf(votes: readonly Vote[]): number {
  return votes.reduce((sum, { vote }) => sum + vote, 0)
}

/** If the rejected share consists of fewer people, the quantile depends on a single one of them. */
const fewestInTail = 3
/** 97 % of a normal distribution is above the mean minus this many standard deviations. */
const deviations = { share: 0.03, below: 1.880794 } as const
const draws = 400

/**
 * A limit that refuses about 3 in 100 people like these, 0...1, in hundredths; not the score of the person who
 * happens to be lowest. For few people: the 3rd percentile of a normal curve fitted to the lower half of their
 * logits, around the median. For many: the percentile itself, averaged over people drawn with replacement (Breiman
 * 1996, "Bagging").
 */
export function limitForPeople(
  living: readonly { readonly person: string; readonly score: number }[],
): number {
  const votes = votesOf(living)
  const isTailThin = deviations.share * sumOf(votes) < fewestInTail
  const limit = isTailThin ? lowerHalfLimit(votes) : meanLimit(votes)
  return Math.floor(100 * limit) / 100
}

function lowerHalfLimit(votes: readonly Vote[]): number {
  const centre = logit(limitRefusing(votes, 0.5))
  const lower = votes
    .map(({ score, vote }) => ({ off: logit(score) - centre, vote }))
    .filter(({ off }) => off <= 0)
  const squares = lower.reduce((sum, { off, vote }) => sum + vote * off * off, 0)
  const weight = lower.reduce((sum, { vote }) => sum + vote, 0)
  return logistic(centre - deviations.below * Math.sqrt(squares / weight))
}

function meanLimit(votes: readonly (Vote & { readonly person: string })[]): number {
  const people = [...groupBy(votes, ({ person }) => person).values()]
  const random = randomNumbers(people.length)
  const drawn = () => people.flatMap(() => people[Math.floor(random() * people.length)]!)
  return logistic(mean(Array.from({ length: draws }, () => logit(limitRefusing(drawn(), deviations.share)))))
}
