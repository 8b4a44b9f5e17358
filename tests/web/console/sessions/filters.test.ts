import { expect, test } from 'vitest'
import {
  beginningOf,
  isSessionId,
  localOf,
  momentOf,
  readBeginning,
  readFilters,
} from '#web/console/sessions/filters.ts'

test('filters of an address are those that the list accepts', () => {
  expect(
    readFilters({
      state: 'Completed',
      verificationResult: 'Perhaps',
      failedReason: 'noFace',
      externalId: 'user-42',
      source: '',
      createdFrom: '2026-01-01T00:00:00Z',
      createdTo: 'yesterday',
      limit: '5',
      unknown: 'x',
    }),
  ).toEqual({
    state: 'Completed',
    failedReason: 'noFace',
    externalId: 'user-42',
    createdFrom: '2026-01-01T00:00:00Z',
  })
})

test('a moment is converted to the viewer’s time zone and back', () => {
  expect(localOf(momentOf('2026-07-01T12:34'))).toBe('2026-07-01T12:34')
  expect(momentOf('')).toBe('')
  expect(localOf(undefined)).toBe('')
})

test.each([
  ['97b00fb572f32021cd1c3139523e8286', true],
  [' 97b00fb5-72f3-2021-cd1c-3139523e8286 ', true],
  ['97b00fb572f32021cd1c3139523e828', false],
  ['user-42', false],
  ['', false],
])('%s is the id of a session: %s', (sought, expected) => {
  expect(isSessionId(sought)).toBe(expected)
})

test.each([
  ['97b0', '97b0'],
  [' 97B00FB5-72f3-2021-cd1c ', '97b00fb572f3'],
  ['97b', ''],
  ['user-42', ''],
  ['', ''],
])('%s begins an id with %s', (typed, beginning) => {
  expect(beginningOf(typed)).toBe(beginning)
})

test.each([
  ['', ''],
  ['  ', ''],
  ['ABCD-12', 'abcd12'],
  ['abc', undefined],
  ['nobody', undefined],
])('%j in the field for the beginning of an id is %j', (typed, found) => {
  expect(readBeginning(typed)).toBe(found)
})
