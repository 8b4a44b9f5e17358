import { describe, expect, test } from 'vitest'
import { liveScore } from '#models/rules/liveness/live-score.ts'

describe('the score of one face', () => {
  test.each([
    [{ raw: 0.9 }, 0.9],
    [{ raw: 0.9, blurred: 0.4 }, 0.4],
    [{ raw: 0.4, blurred: 0.9 }, 0.4],
    [{ raw: 0.4, blurred: 0.9, noise: 0.5 }, 0.4],
    [{ raw: 0.4, blurred: 0.9, noise: 0.75 }, 0.65],
    [{ raw: 0.4, blurred: 0.9, noise: 1 }, 0.9],
    [{ raw: 0.9, blurred: 0.9, near: { raw: 0.8, blurred: 0.5 } }, 0.7],
    // The logits of 0.9 and 0.5 are 2.197 and 0. The second network has a weight of one quarter.
    [{ raw: 0.9, blurred: 0.9, second: { raw: 0.5 } }, 0.8386],
  ])('%j is %d', (live, score) => {
    expect(liveScore(live)).toBeCloseTo(score)
  })

  test.each([0.1, 0.5, 0.9])('is no higher for a crop that looks better with noise (%d)', (blurred) => {
    for (const raw of [0, 0.2, 0.5, 1]) {
      for (const noise of [0, 0.5, 3]) {
        expect(liveScore({ raw, blurred, noise })).toBeLessThanOrEqual(blurred + 1e-9)
      }
    }
  })

  test('of a blurred picture is its excess above a half, without the nearer crop', () => {
    const live = { raw: 0.75, blurred: 0.75, near: { raw: 1, blurred: 1 } }
    expect(liveScore(live, 19.9)).toBeCloseTo(0.5)
    expect(liveScore(live, 20)).toBeCloseTo(0.875)
  })
})
