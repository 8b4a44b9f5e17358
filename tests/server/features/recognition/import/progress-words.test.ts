import { expect, test } from 'vitest'
import { progressWords } from '#server/features/recognition/import/progress-words.ts'

test.each([
  [0, 10, 0, undefined, '0 of 10 (0 %), 0.0 a second'],
  [999, 1000, 17.94, 0.05, '999 of 1000 (99 %), 17.9 a second, 1 s left'],
  [1, 1000, 2, 500, '1 of 1000 (0 %), 2.0 a second, 9 min left'],
  [1, 100_000, 2, 50_000, '1 of 100000 (0 %), 2.0 a second, 13.9 h left'],
  [0, 0, 0, undefined, '0 of 0 (100 %), 0.0 a second'],
])('%i of %i', (done, total, perSecond, secondsLeft, words) => {
  expect(progressWords({ done, total, perSecond, secondsLeft })).toBe(words)
})
