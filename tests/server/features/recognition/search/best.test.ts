import { expect, test } from 'vitest'
import { createBest } from '#server/features/recognition/search/best.ts'

test('keeps the greatest, in order; the last of equal ones is the first', () => {
  const best = createBest(3, 0.1)
  expect(best.least).toBe(0.1)
  for (const [row, cosine] of [0.3, 0.5, 0.2, 0.5, 0.4].entries()) {
    if (cosine >= best.least) best.add({ row, cosine })
  }
  expect(best.ranked).toEqual([
    { row: 3, cosine: 0.5 },
    { row: 1, cosine: 0.5 },
    { row: 4, cosine: 0.4 },
  ])
  expect(best.least).toBe(0.4)
  best.add({ row: 4, cosine: 0.4 })
  expect(best.ranked.map(({ row }) => row)).toEqual([3, 1, 4])
})
