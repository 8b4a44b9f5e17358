import { describe, expect, test } from 'vitest'
import { blur } from '#models/picture/blur.ts'

/** Two planes of 9 x 8 pixels, blurred. */
function blurred(from: Float32Array, sigma: number): Float32Array {
  const to = new Float32Array(from.length)
  blur(from, new Float32Array(from.length), to, { width: 9, height: 8 }, sigma)
  return to
}

describe('a blur', () => {
  test('keeps an even picture unchanged, up to the edges', () => {
    for (const value of blurred(new Float32Array(144).fill(40), 1.2)) expect(value).toBeCloseTo(40, 4)
  })

  test('spreads a point as a Gaussian along rows and columns, and into no other plane', () => {
    const from = new Float32Array(144)
    from[72 + 3 * 9 + 4] = 1000
    const to = blurred(from, 1)
    const at = (x: number, y: number) => to[72 + y * 9 + x]!
    expect(at(5, 3) / at(4, 3)).toBeCloseTo(Math.exp(-0.5), 5)
    expect(at(4, 5) / at(4, 3)).toBeCloseTo(Math.exp(-2), 5)
    expect(at(6, 4) / at(4, 3)).toBeCloseTo(Math.exp(-2.5), 5)
    expect(at(8, 3)).toBe(0)
    expect(Math.max(...to.subarray(0, 72))).toBe(0)
  })

  test('repeats the edges', () => {
    const from = Float32Array.from({ length: 144 }, (_, i) => (i % 9 === 0 ? 100 : 0))
    const to = blurred(from, 1)
    const tap = (k: number) => Math.exp(-(k ** 2) / 2)
    const sum = tap(0) + 2 * (tap(1) + tap(2) + tap(3))
    expect(to[0]).toBeCloseTo((100 * (tap(0) + tap(1) + tap(2) + tap(3))) / sum, 3)
  })
})
