import { describe, expect, test } from 'vitest'
import {
  blurred,
  gammaCorrected,
  medianFiltered,
  mirrored,
  noisy,
  sharpened,
} from '#lab/evaluate/running/alterations.ts'
import { perturbations } from '#lab/evaluate/running/perturbations.ts'
import type { RgbaFrame } from '#models/picture/frame.ts'
import { grey } from '../../../support/drawn/frames.ts'

const even = grey(64, 48, () => 120)
const edge = grey(64, 48, (x) => (x < 32 ? 60 : 180))
const reds = ({ rgba }: RgbaFrame) => Array.from(rgba).filter((_, i) => i % 4 === 0)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const spread = (values: readonly number[]) => {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

describe('noise', () => {
  test.each([6, 14])('has the requested standard deviation of %d and no bias', (sigma) => {
    const values = reds(noisy(even, sigma))
    expect(spread(values)).toBeCloseTo(sigma, -0.3)
    expect(Math.abs(mean(values) - 120)).toBeLessThan(1)
  })

  test('is the same for the same seed only', () => {
    const withSeed = (seed: number) => reds(noisy(even, 6, seed)).join()
    expect(withSeed(3)).toBe(withSeed(3))
    expect(withSeed(3)).not.toBe(withSeed(4))
  })
})

describe('blur', () => {
  test('keeps an even picture and smooths an edge', () => {
    expect(reds(blurred(even, 1.5)).every((value) => Math.abs(value - 120) <= 1)).toBe(true)
    const row = reds(blurred(edge, 1.5)).slice(0, 64)
    expect(row[31]).toBeGreaterThan(80)
    expect(row[10]).toBeCloseTo(60, -0.5)
  })

  test('is partly undone by sharpening, which keeps an even picture', () => {
    expect(spread(reds(sharpened(edge, 1.5, 1.5)))).toBeGreaterThan(spread(reds(edge)))
    expect(reds(sharpened(even, 1.5, 1.5)).every((value) => Math.abs(value - 120) <= 2)).toBe(true)
  })
})

test('gamma keeps black and white and moves values in between', () => {
  const steps = grey(3, 1, (x) => [0, 120, 255][x]!)
  expect(reds(gammaCorrected(steps, 0.6))).toEqual([0, 162, 255])
  expect(reds(gammaCorrected(steps, 1.6))).toEqual([0, 76, 255])
})

test('mirroring twice restores the picture', () => {
  expect(reds(mirrored(edge))[0]).toBe(180)
  expect(reds(mirrored(mirrored(edge))).join()).toBe(reds(edge).join())
})

test('a median removes single pixels and keeps edges', () => {
  const speck = grey(64, 48, (x, y) => (x === 10 && y === 10 ? 255 : x < 32 ? 60 : 180))
  expect(reds(medianFiltered(speck)).join()).toBe(reds(edge).join())
})

describe('the grid', () => {
  test('starts with the unaltered recording', async () => {
    expect(await perturbations[0]!.apply(edge)).toBe(edge)
  })

  test('names each point once', () => {
    expect(new Set(perturbations.map(({ name }) => name)).size).toBe(perturbations.length)
  })

  test.each(perturbations)(
    '$name keeps the size, pads nothing, and gives the same result each time',
    async ({ apply }) => {
      const once = await apply(even)
      expect(once.width / once.height).toBeCloseTo(64 / 48)
      expect(Math.min(...reds(once))).toBeGreaterThan(15)
      expect(reds(await apply(even)).join()).toBe(reds(once).join())
    },
  )
})
