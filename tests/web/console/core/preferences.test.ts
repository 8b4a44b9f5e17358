import { expect, test } from 'vitest'
import { readPreferences, writePreferences } from '#web/console/core/preferences.ts'

const none = { theme: 'auto', language: null, hasShortcuts: true }
const holding = (text: string | null) => ({ getItem: () => text })

test.each([
  [null, none],
  ['not json', none],
  ['{"theme":"purple","language":7}', none],
  [
    '{"theme":"dark","language":"de","hasShortcuts":false}',
    { theme: 'dark', language: 'de', hasShortcuts: false },
  ],
])('%s is read as %j', (text, expected) => {
  expect(readPreferences(holding(text))).toEqual(expected)
})

test('a browser without storage causes no failure', () => {
  const refuse = () => {
    throw new Error('no room')
  }
  expect(readPreferences({ getItem: refuse })).toEqual(none)
  expect(() =>
    writePreferences({ setItem: refuse }, { theme: 'dark', language: null, hasShortcuts: true }),
  ).not.toThrow()
})
