import { describe, expect, test } from 'vitest'
import { alignedLuminance, measureQuality } from '#models/measures/quality.ts'
import type { Frame } from '#models/picture/frame.ts'
import type { Affine } from '#models/picture/geometry.ts'
import { Picture } from '#models/picture/picture.ts'
import { grey } from '../../support/drawn/frames.ts'

/** The face takes up the middle third of a picture that is three faces wide. */
const aligned: Affine = [1, 0, 112, 0, 1, 112]
const size = 336
const inFace = (x: number, y: number) => x >= 112 && x < 224 && y >= 112 && y < 224

function measured(frame: Frame) {
  const picture = new Picture(frame)
  return measureQuality(picture, aligned, alignedLuminance(picture, aligned))
}

describe('sharpness', () => {
  const stripes = (width: number) =>
    measured(grey(size, size, (x) => (Math.floor(x / width) % 2 === 0 ? 50 : 200)))
  const slope = measured(grey(size, size, (x) => x / 2))

  test('is zero for an even or a slowly changing face', () => {
    expect(measured(grey(size, size, () => 128)).sharpness).toBeCloseTo(0, 6)
    expect(slope.sharpness).toBeLessThan(2)
  })

  test('falls with fewer edges', () => {
    const values = [2, 8, 28].map((width) => stripes(width).sharpness)
    expect(values).toEqual([...values].sort((a, b) => b - a))
    expect(values[2]).toBeGreaterThan(slope.sharpness)
  })

  test('does not depend on the brightness of the picture', () => {
    const at = (base: number) => measured(grey(size, size, (x) => base + (x % 4 < 2 ? 0 : 40))).sharpness
    expect(at(20)).toBeCloseTo(at(180), 4)
  })
})

describe('light', () => {
  test.each([0, 90, 255])('of a plain face of %d is that', (value) => {
    expect(measured(grey(size, size, () => value)).meanLuminance).toBeCloseTo(value, 3)
  })

  test('spreads from the 5th to the 95th percentile', () => {
    const half = measured(grey(size, size, (x) => (x < 168 ? 60 : 180)))
    expect(half.spread).toBeCloseTo(120, 3)
    const speck = measured(grey(size, size, (x, y) => (x === 150 && y === 150 ? 255 : 60)))
    expect(speck.spread).toBeCloseTo(0, 3)
  })

  test.each([
    [249, 0],
    [250, 1],
    [255, 1],
  ])('of %d is clipped by a share of %d', (value, clipped) => {
    expect(measured(grey(size, size, () => value)).clipped).toBe(clipped)
  })
})

describe('the background', () => {
  test.each([
    [100, 100, 1],
    [100, 200, 2],
    [200, 50, 0.25],
  ])('of a face of %d before %d has a ratio of %d', (face, behind, ratio) => {
    const { backgroundRatio } = measured(grey(size, size, (x, y) => (inFace(x, y) ? face : behind)))
    expect(Math.abs(backgroundRatio - ratio)).toBeLessThan(0.12 * ratio)
  })

  test('counts only the visible part', () => {
    const picture = new Picture(grey(112, 112, () => 100))
    const map: Affine = [1, 0, 0, 0, 1, 0]
    expect(measureQuality(picture, map, alignedLuminance(picture, map)).backgroundRatio).toBeLessThanOrEqual(
      1,
    )
  })

  test('of a face that fills the picture is zero', () => {
    const picture = new Picture(grey(40, 40, () => 100))
    const map: Affine = [1, 0, -36, 0, 1, -36]
    expect(measureQuality(picture, map, alignedLuminance(picture, map)).backgroundRatio).toBe(0)
  })
})
