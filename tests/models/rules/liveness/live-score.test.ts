import { describe, expect, test } from 'vitest'
import { liveScore } from '#models/rules/liveness/live-score.ts'

describe('the score of two networks', () => {
  test('is that of one where there is no other', () => {
    expect(liveScore({ raw: 0.9, blurred: 0.9 })).toBeCloseTo(0.9)
  })

  test.each([
    [0.9, 0.9, 0.9],
    [0.9, 0.1, 0.5],
    [0.99, 0.5, 1 / (1 + Math.exp(-Math.log(99) / 2))],
    [1, 0, 0.5],
    [1, 1, 1 - 1e-6],
    [0, 0, 1e-6],
  ])('%d and %d are %d: the mean of their logits', (own, other, both) => {
    const live = { raw: own, blurred: own, second: { raw: other, blurred: other } }
    expect(liveScore(live)).toBeCloseTo(both, 6)
  })

  test('neither network alone makes up for the other being sure', () => {
    const sure = { raw: 0.999, blurred: 0.999 }
    expect(liveScore({ ...sure, second: { raw: 1e-5, blurred: 1e-5 } })).toBeLessThan(0.1)
  })

  test('blur lifts the score of neither', () => {
    const live = { raw: 0.9, blurred: 0.9 }
    expect(liveScore({ ...live, second: live }, 10)).toBeCloseTo(0.8)
  })

  test('noise lifts the score of neither', () => {
    const noisy = { raw: 0.99, blurred: 0.2 }
    expect(liveScore({ ...noisy, second: noisy })).toBeCloseTo(0.2)
  })
})
