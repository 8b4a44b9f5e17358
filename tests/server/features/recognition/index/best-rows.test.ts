import { expect, test } from 'vitest'
import { createBestRows } from '#server/features/recognition/index/best-rows.ts'

const order = (one: number, other: number) => other - one

test('keeps the greatest, in order, with ties in their own order', () => {
  const best = createBestRows(3, 0.1, { order })
  expect(best.least).toBe(0.1)
  for (const [row, likeness] of [0.3, 0.5, 0.2, 0.5, 0.4].entries()) {
    if (likeness >= best.least) best.add({ row, likeness })
  }
  expect(best.ranked).toEqual([
    { row: 3, likeness: 0.5 },
    { row: 1, likeness: 0.5 },
    { row: 4, likeness: 0.4 },
  ])
  expect(best.least).toBe(0.4)
  best.add({ row: 4, likeness: 0.4 })
  expect(best.ranked.map(({ row }) => row)).toEqual([3, 1, 4])
})

test('keeps the first of equal ones, in whatever order they are seen', () => {
  for (const rows of [
    [1, 2, 3, 4],
    [4, 3, 2, 1],
    [2, 4, 1, 3],
  ]) {
    const best = createBestRows(2, 0.1, { order })
    for (const row of rows) if (0.5 >= best.least) best.add({ row, likeness: 0.5 })
    expect(best.ranked.map(({ row }) => row)).toEqual([4, 3])
  }
})

test('counts only the best row of each person, and every row without one', () => {
  const persons = ['anna', 'anna', null, 'bert', null, 'anna']
  const best = createBestRows(4, 0.1, { order, personOf: (row) => persons[row]! })
  for (const [row, likeness] of [0.3, 0.5, 0.2, 0.4, 0.25, 0.5].entries()) {
    if (likeness >= best.least) best.add({ row, likeness })
  }
  expect(best.ranked).toEqual([
    { row: 5, likeness: 0.5 },
    { row: 3, likeness: 0.4 },
    { row: 4, likeness: 0.25 },
    { row: 2, likeness: 0.2 },
  ])
})
