import { expect, test } from 'vitest'
import {
  createRecentSearches,
  searchName,
} from '#server/features/recognition/index/postgres/recent-searches.ts'
import { randomEmbedding } from '../../../../../support/drawn/random-face.ts'

test('a search is kept for half a minute', () => {
  let now = 0
  const recent = createRecentSearches(() => now)
  recent.keep('a', { until: 7, sequences: [3] })
  now = 29_999
  expect(recent.get('a')).toMatchObject({ until: 7, sequences: [3] })
  now = 30_000
  expect(recent.get('a')).toBeUndefined()
})

test('one with very many results is not kept, nor the earlier result of the same search', () => {
  const recent = createRecentSearches(() => 0)
  recent.keep('a', { until: 1, sequences: [1] })
  recent.keep('a', { until: 9, sequences: Array.from({ length: 2001 }, (_, i) => i) })
  expect(recent.get('a')).toBeUndefined()
})

test('the oldest of 257 goes', () => {
  const recent = createRecentSearches(() => 0)
  for (let i = 0; i < 257; i++) recent.keep(`${i}`, { until: i, sequences: [] })
  expect(recent.get('0')).toBeUndefined()
  expect(recent.get('1')).toBeDefined()
})

test('searches with any difference have different names', () => {
  const names = [
    searchName(1, 1, randomEmbedding(1), 0.4),
    searchName(2, 1, randomEmbedding(1), 0.4),
    searchName(1, 2, randomEmbedding(1), 0.4),
    searchName(1, 1, randomEmbedding(2), 0.4),
    searchName(1, 1, randomEmbedding(1), 0.5),
  ]
  expect(new Set(names).size).toBe(names.length)
  expect(searchName(1, 1, randomEmbedding(1), 0.4)).toBe(names[0])
})
