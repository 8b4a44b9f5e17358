import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortInTurns } from '#server/platform/running/sort-in-turns.ts'

const neverOver = { isOver: () => false, next: async () => undefined }

test('sorts as the engine does, and keeps equal items in their order', async () => {
  const length = { minLength: 0, maxLength: 3000, size: 'max' } as const
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 50 }), length), async (numbers) => {
      const items = numbers.map((key, place) => ({ key, place }))
      const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key
      expect(await sortInTurns(items, byKey, neverOver)).toEqual(items.toSorted(byKey))
    }),
    { numRuns: 20 },
  )
})

test('yields at least once in 512 steps', async () => {
  let pauses = 0
  const turns = { isOver: () => true, next: async () => void pauses++ }
  const items = Array.from({ length: 4096 }, (_, i) => (i * 7919) % 4096)
  await sortInTurns(items, (a, b) => a - b, turns)
  // Eight runs, and three rounds that merge all of them.
  expect(pauses).toBe(8 + 3 * (4096 / 256))
})
