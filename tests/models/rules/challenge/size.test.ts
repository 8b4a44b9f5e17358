import { describe, expect, test } from 'vitest'
import { drawSizes, hasSize, sizeOffset, sizeRules, wantedSize } from '#models/rules/challenge/size.ts'
import { perspectiveLimits } from '#models/rules/liveness/evidence/perspective.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { frameOf } from '../../../support/drawn/observations.ts'

const { halfway, near, tolerance, largest } = sizeRules

describe('drawn sizes', () => {
  const random = randomNumbers(3)
  const draws = Array.from({ length: 400 }, () => drawSizes((below) => Math.floor(random() * below)))

  test('have one from each range, in either order', () => {
    for (const sizes of draws) {
      const [less, more] = [...sizes].sort((a, b) => a - b)
      expect(less).toBeGreaterThanOrEqual(halfway.least)
      expect(less).toBeLessThanOrEqual(halfway.most)
      expect(more).toBeGreaterThanOrEqual(near.least)
      expect(more).toBeLessThanOrEqual(near.most)
    }
    const rising = draws.filter(([a, b]) => a! < b!).length
    expect(rising).toBeGreaterThan(150)
    expect(rising).toBeLessThan(250)
    expect(new Set(draws.flat()).size).toBeGreaterThan(150)
  })

  test('cover their whole ranges', () => {
    expect(drawSizes(() => 0)).toEqual([halfway.least, near.least])
    expect(drawSizes((below) => below - 1)).toEqual([near.most, halfway.most])
  })

  test('differ by what perspective needs, and by more than the tolerance on both sides', () => {
    expect(near.least / halfway.most).toBeGreaterThanOrEqual(perspectiveLimits.leastRatio)
    expect(Math.log(near.least / halfway.most)).toBeGreaterThan(2 * tolerance.needed)
    expect(tolerance.asked).toBeLessThan(tolerance.needed)
    expect(Math.log(halfway.least)).toBeGreaterThan(tolerance.needed)
  })
})

describe('a requested size', () => {
  test('is a multiple of the size at rest', () => {
    expect(wantedSize(1.5, 0.3)).toBeCloseTo(0.45)
  })

  test('never cuts the face: a person who is near already moves back, and both sizes keep their ratio', () => {
    for (const atRest of [0.2, 0.4, 0.5, 0.6, 0.7]) {
      expect(wantedSize(near.most, atRest)).toBeLessThanOrEqual(largest + 1e-9)
      expect(wantedSize(1.6, atRest) / wantedSize(1.2, atRest)).toBeCloseTo(1.6 / 1.2)
    }
    expect(wantedSize(1.2, 0.65)).toBeLessThan(0.65)
  })

  test('has an error that is the logarithm of a ratio, below 0 if the face has to come nearer', () => {
    expect(sizeOffset(0.45, 1.5, 0.3)).toBeCloseTo(0)
    expect(sizeOffset(0.3, 1.5, 0.3)).toBeCloseTo(-Math.log(1.5))
    expect(sizeOffset(0.6, 1.5, 0.3)).toBeGreaterThan(0)
    expect(Number.isFinite(sizeOffset(0, 1.5, 0))).toBe(true)
  })

  test.each([
    [1, true],
    [Math.exp(tolerance.needed - 0.001), true],
    [Math.exp(tolerance.needed + 0.001), false],
    [Math.exp(-tolerance.needed + 0.001), true],
    [Math.exp(-tolerance.needed - 0.001), false],
  ])('is met by %f times of it: %j', (share, met) => {
    const frame = frameOf({ face: { box: { x: 0, y: 0, width: 0.3 * 480 * 1.5 * share, height: 200 } } })
    expect(hasSize(frame, 1.5, { size: 0.3 })).toBe(met)
  })

  test('is not met without a face', () => {
    expect(hasSize(frameOf({ face: null }), 1.5, { size: 0.3 })).toBe(false)
  })
})
