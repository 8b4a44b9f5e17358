import { expect, test } from 'vitest'
import {
  languagesLeft,
  readPurpose,
  withLanguage,
  withPurpose,
} from '#web/console/verifications/purpose-words.ts'

test('a single text becomes a map with the first language, and a text again without the last', () => {
  const plain = withPurpose({}, { text: 'To open a door', languages: [] })
  expect(plain).toEqual({ privacyConfig: { purpose: 'To open a door' } })
  const map = withPurpose(plain, withLanguage(readPurpose(plain), 'de', 'Um eine Tür zu öffnen'))
  expect(map).toEqual({
    privacyConfig: { purpose: { default: 'To open a door', de: 'Um eine Tür zu öffnen' } },
  })
  expect(readPurpose(map)).toEqual({ text: 'To open a door', languages: [['de', 'Um eine Tür zu öffnen']] })
  expect(languagesLeft(readPurpose(map))).not.toContain('de')
  expect(withPurpose(map, withLanguage(readPurpose(map), 'de', null))).toEqual(plain)
})

test('an empty one removes the member, and other members stay', () => {
  const config = { privacyConfig: { controller: 'Shop', purpose: 'Age' } }
  expect(withPurpose(config, { text: '', languages: [] })).toEqual({ privacyConfig: { controller: 'Shop' } })
  expect(readPurpose({})).toEqual({ text: '', languages: [] })
})
