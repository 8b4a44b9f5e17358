import { describe, expect, test } from 'vitest'
import { sceneSignature, signatureSide } from '#models/rules/liveness/scene-signature.ts'
import { grey } from '../../../support/drawn/frames.ts'

/** Each cell's mean, computed the slow way: every pixel's area is divided among the cells that it touches. */
function obviousSignature(width: number, height: number, value: (x: number, y: number) => number): number[] {
  const share = (pixel: number, cell: number, size: number) => {
    const [from, to] = [(pixel * signatureSide) / size, ((pixel + 1) * signatureSide) / size]
    return Math.max(0, Math.min(to, cell + 1) - Math.max(from, cell))
  }
  return Array.from({ length: signatureSide ** 2 }, (_, i) => {
    const [column, row] = [i % signatureSide, Math.floor(i / signatureSide)]
    let sum = 0
    for (let y = 0; y < height; y++) {
      const high = share(y, row, height)
      if (high === 0) continue
      for (let x = 0; x < width; x++) sum += value(x, y) * high * share(x, column, width)
    }
    return sum
  })
}

const busy = (x: number, y: number) => (x * 53 + y * 97 + x * y) % 256

describe('the scene signature of a picture', () => {
  test.each([
    [64, 64],
    [640, 480],
    [333, 517],
    [33, 31],
    [47, 200],
    [20, 9],
    [1, 1],
  ])('of %d x %d pixels holds the exact mean of each cell', (width, height) => {
    const signature = sceneSignature(grey(width, height, busy))
    const obvious = obviousSignature(width, height, busy)
    expect(signature).toHaveLength(signatureSide ** 2)
    const worst = Math.max(...obvious.map((value, i) => Math.abs(value - signature[i]!)))
    expect(worst).toBeLessThan(1e-2)
  })

  test('of an even grey is that grey everywhere', () => {
    for (const value of sceneSignature(grey(101, 77, () => 93))) expect(value).toBeCloseTo(93, 3)
  })

  test.each([2, 3, 5])('is the same for the picture enlarged %d times', (times) => {
    const small = sceneSignature(grey(90, 70, busy))
    const large = sceneSignature(
      grey(90 * times, 70 * times, (x, y) => busy(Math.floor(x / times), Math.floor(y / times))),
    )
    const worst = Math.max(...Array.from(small, (value, i) => Math.abs(value - large[i]!)))
    expect(worst).toBeLessThan(1e-2)
  })

  test('distinguishes left from right and top from bottom', () => {
    const signature = sceneSignature(grey(64, 64, (x, y) => (x < 32 && y < 32 ? 250 : 0)))
    const corner = (row: number, column: number) => signature[row * signatureSide + column]
    expect([corner(0, 0), corner(0, 31), corner(31, 0), corner(31, 31)]).toEqual([
      expect.closeTo(250, 2),
      0,
      0,
      0,
    ])
  })
})
