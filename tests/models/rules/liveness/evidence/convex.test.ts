import { describe, expect, test } from 'vitest'
import { fillConvex, grown, hullOf } from '#models/rules/liveness/evidence/convex.ts'

const square = [1, 1, 5, 1, 5, 5, 1, 5]

describe('the hull', () => {
  test('has only the outermost points, each once', () => {
    const hull = hullOf([3, 3, ...square, 2, 4, 3, 1])
    const corners = Array.from({ length: hull.length / 2 }, (_, i) => [hull[2 * i], hull[2 * i + 1]])
    expect(corners).toHaveLength(4)
    expect(corners).toEqual(
      expect.arrayContaining([
        [1, 1],
        [5, 1],
        [5, 5],
        [1, 5],
      ]),
    )
  })

  test('grows around its centre', () => {
    expect(grown(square, 2)).toEqual([-1, -1, 7, -1, 7, 7, -1, 7])
  })
})

describe('filling', () => {
  const filled = (polygon: number[]) => {
    const mask = new Uint8Array(64)
    fillConvex(mask, 8, polygon, 1)
    return mask.reduce((sum, value) => sum + value, 0)
  }

  test('contains the pixels whose centres lie inside', () => {
    expect(filled(square)).toBe(16)
    expect(filled([1.6, 1.6, 5.4, 1.6, 5.4, 5.4, 1.6, 5.4])).toBe(9)
  })

  test('stops at the edge', () => {
    expect(filled([-9, -9, 20, -9, 20, 20, -9, 20])).toBe(64)
    expect(filled([20, 20, 30, 20, 30, 30, 20, 30])).toBe(0)
  })
})
