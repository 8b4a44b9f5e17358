import { describe, expect, test } from 'vitest'
import { noisy } from '#lab/evaluate/running/alterations.ts'
import { noiseOf } from '#models/picture/noise.ts'
import { Picture } from '#models/picture/picture.ts'
import { kernelMemory, type PictureMemory, scriptMemory } from '#models/picture/picture-memory.ts'

const side = 128
const feed = { size: side, channels: 'BGR', scale: 1, offset: 0 } as const

/** A frame with grey levels that depend on the position. */
function frameOf(grey: (x: number, y: number) => number, size = side) {
  const rgba = new Uint8Array(size * size * 4).fill(255)
  for (let i = 0; i < size * size; i++) rgba.fill(grey(i % size, Math.floor(i / size)), i * 4, i * 4 + 3)
  return { width: size, height: size, rgba }
}
function noiseIn(frame: ReturnType<typeof frameOf>, memory: PictureMemory): number {
  const picture = new Picture(frame, memory)
  return noiseOf(picture.stretch({ x: 0, y: 0, width: frame.width, height: frame.height }, feed), picture)
}

/** The luminance of independent noise in each channel. */
const inLuminance = Math.hypot(0.299, 0.587, 0.114)

describe.each([
  ['a kernel', kernelMemory],
  ['the script', scriptMemory],
])('the noise of a crop, by %s,', (_, createMemory) => {
  const noise = (frame: ReturnType<typeof frameOf>) => noiseIn(frame, createMemory())

  test.each([2, 6, 14])('of an even face with noise of %d levels equals that of its luminance', (sigma) => {
    const even = frameOf(() => 128)
    const found = noise(noisy(even, sigma) as typeof even)
    const expected = sigma * inLuminance
    expect(found).toBeGreaterThan(0.85 * expected)
    expect(found).toBeLessThan(1.15 * expected)
  })

  test('is almost zero on a slope, an edge or stripes', () => {
    expect(noise(frameOf((x) => 20 + x))).toBeLessThan(0.3)
    expect(noise(frameOf((x) => (x < 64 ? 20 : 220)))).toBe(0)
    expect(noise(frameOf((x) => 128 + 100 * Math.sin(x)))).toBeLessThan(0.3)
  })

  test('is less in a crop that shrinks a larger picture', () => {
    const large = noisy(
      frameOf(() => 128, 4 * side),
      14,
    ) as ReturnType<typeof frameOf>
    expect(noise(large)).toBeLessThan((14 * inLuminance) / 3)
  })
})
