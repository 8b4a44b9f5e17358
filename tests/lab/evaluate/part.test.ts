import { expect, test } from 'vitest'
import type { DataSet } from '#lab/evaluate/data-set.ts'
import { isHalvedByPicture, partOf, personOf } from '#lab/evaluate/part.ts'

const set: DataSet = {
  name: 'set',
  folder: '/set',
  columns: new Set(['file', 'identity']),
  rows: Array.from({ length: 300 }, (_, i) => ({ file: `${i}.jpg`, identity: `person ${i % 100}` })),
  tables: {},
  pairs: Array.from({ length: 200 }, (_, i) => ({
    fold: '1',
    a: `${i}.jpg`,
    b: `${i + 100}.jpg`,
    same: true,
  })),
}

test('a person is in one half only, and the halves have about the same size', () => {
  const [tuning, heldOut] = [partOf(set, 'tuning'), partOf(set, 'held-out')]
  const people = (part: DataSet) => new Set(part.rows.map(personOf))
  expect(tuning.rows.length + heldOut.rows.length).toBe(300)
  expect([...people(tuning)].filter((one) => people(heldOut).has(one))).toEqual([])
  expect(people(tuning).size).toBeGreaterThan(35)
  expect(people(heldOut).size).toBeGreaterThan(35)
  expect(tuning.pairs!.length + heldOut.pairs!.length).toBe(200)
})

test('all keeps everything', () => {
  expect(partOf(set, 'all')).toBe(set)
})

test('without a name each file counts as a person', () => {
  expect(personOf({ file: 'a.jpg' })).toBe('a.jpg')
  expect(personOf({ file: 'a.jpg', subject: 's1' })).toBe('s1')
})

test('a set with unnamed people is halved by picture', () => {
  expect(isHalvedByPicture(set)).toBe(false)
  expect(isHalvedByPicture({ ...set, rows: [...set.rows, { file: 'a.jpg', identity: '' }] })).toBe(true)
})
