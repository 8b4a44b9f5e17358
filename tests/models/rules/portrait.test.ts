import { expect, test } from 'vitest'
import type { Observation } from '#models/rules/observation.ts'
import { formerPortraitOf, portraitOf } from '#models/rules/portrait.ts'

const frame = (formerEmbedding?: number[], frameQuality = 1) =>
  ({
    face: { embedding: [1, 0], frameQuality, ...(formerEmbedding && { formerEmbedding }) },
  }) as unknown as Observation

test('a portrait by the previous model weights the frames in the same way', () => {
  const portrait = formerPortraitOf([frame([1, 0], 1), frame([0, 1], 0)])!
  expect(portrait[0]! / portrait[1]!).toBeCloseTo(11, 4)
  expect(Math.hypot(...portrait)).toBeCloseTo(1, 6)
})

test('is undefined without frames, or if a frame has no embedding', () => {
  expect(formerPortraitOf([frame([1, 0]), frame()])).toBeUndefined()
  expect(formerPortraitOf([])).toBeUndefined()
  expect(portraitOf([frame()])).toEqual([1, 0])
})
