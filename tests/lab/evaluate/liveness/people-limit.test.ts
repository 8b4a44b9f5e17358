import { describe, expect, test } from 'vitest'
import { limitForPeople, limitRefusing, shareRefused, votesOf } from '#lab/evaluate/liveness/people-limit.ts'
import { logistic } from '#models/rules/liveness/logit.ts'

const person = (name: string, ...scores: number[]) => scores.map((score) => ({ person: name, score }))

describe('people', () => {
  const votes = votesOf([...person('a', 0.1, 0.9, 0.9, 0.9), ...person('b', 0.6), ...person('c', 0.8)])

  test.each([
    [0.05, 0],
    [0.5, 1 / 12],
    [0.6, 1 / 12],
    [0.7, 5 / 12],
    [1, 1],
  ])('are counted once: %d refuses %d of them', (limit, share) => {
    expect(shareRefused(votes, limit)).toBeCloseTo(share)
  })

  test.each([
    [0, 0.1],
    [0.05, 0.1],
    [0.09, 0.6],
    [0.42, 0.8],
    [1, Number.POSITIVE_INFINITY],
  ])('of whom at most %d may be refused allow a limit of %d', (share, limit) => {
    expect(limitRefusing(votes, share)).toBe(limit)
    if (Number.isFinite(limit)) expect(shareRefused(votes, limit)).toBeLessThanOrEqual(share + 1e-9)
  })
})

describe('the limit that ships', () => {
  /** Scores with logits that follow a normal distribution around 3 with a standard deviation of 1. */
  const normal = (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const share = (i + 0.5) / count
      return person(`${i}`, logistic(3 + inverseNormal(share)))[0]!
    })

  test.each([40, 1000])('is the third percentile of %d people', (count) => {
    expect(limitForPeople(normal(count))).toBeCloseTo(logistic(3 - 1.88), 1)
  })

  test('does not depend on the lowest of few people', () => {
    const people = normal(40)
    const [, ...others] = people
    const lower = limitForPeople([...others, ...person('0', 0.01)])
    expect(lower).toBeGreaterThan(0.3)
    expect(lower).toBeLessThan(limitForPeople(people))
  })
})

/** The normal distribution's quantile, found by bisection (Abramowitz and Stegun 1964, 26.2.17). */
function inverseNormal(share: number): number {
  let [low, high] = [-8, 8]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (distribution(middle) < share) low = middle
    else high = middle
  }
  return low
}

function distribution(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const tail = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * series
  return x > 0 ? 1 - tail : tail
}
