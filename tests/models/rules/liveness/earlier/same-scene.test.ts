import { describe, expect, test } from 'vitest'
import { isSameScene, sameSceneLimits, sceneDistance } from '#models/rules/liveness/earlier/same-scene.ts'
import { rimWith, room } from '../../../../support/drawn/visits.ts'

/** The room in a different light, mixed with an orthogonal pattern at a share of the room's contrast. */
const other = (share: number, light = 1) => ({
  rim: room.rim.map((value, i) => (value + 20 * share * (i % 4 < 2 ? 1 : -1)) * light),
  luminance: room.luminance * light,
})

describe('the same scene', () => {
  test.each([
    [0, 1, true],
    [0, 1.03, true],
    [0, 0.97, true],
    [0, Math.exp(0.099), true],
    [0, Math.exp(0.101), false],
    [0, Math.exp(-0.101), false],
    [0.27, 1.03, true],
    [0.33, 1, false],
  ])('with %d of the contrast changed and a gain of %d: %s', (share, light, same) => {
    expect(isSameScene(room, other(share, light))).toBe(same)
    expect(isSameScene(other(share, light), room)).toBe(same)
  })

  test.each([
    [sameSceneLimits.weakestContrast + 0.01, true],
    [sameSceneLimits.weakestContrast - 0.01, false],
  ])('is undefined for a wall with a contrast of %d: %s', (contrast, told) => {
    const wall = { rim: rimWith(contrast), luminance: 120 }
    expect(isSameScene(wall, wall)).toBe(told)
  })

  test('is undefined if liveness was not analysed, or for rims of different kinds', () => {
    for (const nothing of [null, { rim: [], luminance: 120 }, { rim: [1, 2], luminance: 120 }]) {
      expect(isSameScene(room, nothing)).toBe(false)
      expect(isSameScene(nothing, room)).toBe(false)
    }
  })

  test('is measured without the gain, as a share of the contrast', () => {
    const { place, light, contrast } = sceneDistance(room, other(0.25, 1.05))!
    expect(place).toBeCloseTo(0.25, 1)
    expect(light).toBeCloseTo(Math.log(1.05), 6)
    expect(contrast).toBeCloseTo(20, 6)
  })
})
