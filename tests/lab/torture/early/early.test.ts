import { expect, test } from 'vitest'
import { earlyLimits, keptQuiet } from '#lab/torture/early/early.ts'

test.each([
  ['at every limit', {}, true],
  ['with answers that are further apart', { answerTimesApartMs: 5.1 }, false],
  ['with more memory', { residentPeakMiB: 768.1 }, false],
  ['with a call of another account refused', { otherAccountRefused: 1 }, false],
  ['with an answer that is neither 202 nor 503 with Retry-After', { unanswered: 1 }, false],
  ['without a figure', { answerTimesApartMs: Number.NaN }, false],
])('a crowd of sessions %s: held or not', (_name, changed, expected) => {
  expect(keptQuiet({ ...earlyLimits, ...changed })).toBe(expected)
})
