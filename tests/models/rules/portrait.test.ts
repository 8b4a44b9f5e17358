import { expect, test } from 'vitest'
import type { Observation } from '#models/rules/observation.ts'
import { formerPortraitOf, portraitOf } from '#models/rules/portrait.ts'

const frame = (formerEmbedding?: number[], frameQuality = 1) =>
  ({
    face: { embedding: [1, 0], frameQuality, ...(formerEmbedding && { formerEmbedding }) },
  }) as unknown as Observation

test('a portrait by the former model weighs the frames as the other one does', () => {
  const portrait = formerPortraitOf([frame([1, 0], 1), frame([0, 1], 0)])!
  expect(portrait[0]! / portrait[1]!).toBeCloseTo(11, 4)
  expect(Math.hypot(...portrait)).toBeCloseTo(1, 6)
})

test('there is none where a frame has none, or where there is no frame', () => {
  expect(formerPortraitOf([frame([1, 0]), frame()])).toBeUndefined()
  expect(formerPortraitOf([])).toBeUndefined()
  expect(portraitOf([frame()])).toEqual([1, 0])
})
