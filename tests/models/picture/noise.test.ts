import { describe, expect, test } from 'vitest'
import { noisy } from '#lab/evaluate/running/alterations.ts'
import { noiseOf } from '#models/picture/noise.ts'
import { Picture } from '#models/picture/picture.ts'

const side = 128
const feed = { size: side, channels: 'BGR', scale: 1, offset: 0 } as const

/** A frame whose grey levels a function of the place tells. */
function frameOf(grey: (x: number, y: number) => number, size = side) {
  const rgba = new Uint8Array(size * size * 4).fill(255)
  for (let i = 0; i < size * size; i++) rgba.fill(grey(i % size, Math.floor(i / size)), i * 4, i * 4 + 3)
  return { width: size, height: size, rgba }
}
const cropOf = (frame: ReturnType<typeof frameOf>) =>
  new Picture(frame).stretch({ x: 0, y: 0, width: frame.width, height: frame.height }, feed)

/** Noise of each channel on its own is that much in luminance. */
const inLuminance = Math.hypot(0.299, 0.587, 0.114)

describe('the noise of a crop', () => {
  test.each([2, 6, 14])('of an even face with noise of %d levels is that of its luminance', (sigma) => {
    const crop = cropOf(
      noisy(
        frameOf(() => 128),
        sigma,
      ) as ReturnType<typeof frameOf>,
    )
    const expected = sigma * inLuminance
    expect(noiseOf(crop)).toBeGreaterThan(0.85 * expected)
    expect(noiseOf(crop)).toBeLessThan(1.15 * expected)
  })

  test('is hardly any where there is a slope, an edge or stripes', () => {
    expect(noiseOf(cropOf(frameOf((x) => 20 + x)))).toBeLessThan(0.3)
    expect(noiseOf(cropOf(frameOf((x) => (x < 64 ? 20 : 220))))).toBe(0)
    expect(noiseOf(cropOf(frameOf((x) => 128 + 100 * Math.sin(x))))).toBeLessThan(0.3)
  })

  test('is less in a crop that shrinks a larger picture', () => {
    const large = noisy(
      frameOf(() => 128, 4 * side),
      14,
    ) as ReturnType<typeof frameOf>
    expect(noiseOf(cropOf(large))).toBeLessThan((14 * inLuminance) / 3)
  })
})
