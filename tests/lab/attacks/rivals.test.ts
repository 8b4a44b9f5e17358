import { expect, test } from 'vitest'
import type { Subject } from '#lab/attacks/forgery.ts'
import { takenForLiving } from '#lab/attacks/rivals.ts'

const subjectOf = (name: string, pictures: readonly string[]): Subject => ({
  name,
  forge: () => ({
    momentInMilliseconds: 1000,
    film: async () => [],
    frames: async () => pictures.map((picture) => Buffer.from(picture)),
  }),
})

test('a person counts as living if one of the straight pictures does', async () => {
  const people = [
    subjectOf('a', ['flat', 'flat', 'live', 'flat']),
    subjectOf('b', ['flat', 'flat', 'flat', 'flat']),
  ]
  const rate = await takenForLiving(async (jpeg) => jpeg.toString() === 'live', people)
  expect(rate).toMatchObject({ value: 0.5, n: 2, people: 2 })
})
