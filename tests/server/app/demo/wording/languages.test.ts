import { expect, test } from 'vitest'
import { en } from '#server/app/demo/wording/en.ts'
import { languages } from '#server/app/demo/wording/languages.ts'
import { chooseLanguage } from '#web/wording/languages.ts'

test.each([...languages])('%s says everything, and nothing twice in one list', (locale, wording) => {
  expect(chooseLanguage([locale])).toBe(locale)
  const lists = [wording.verdict, wording.why, wording.reasons, wording.signature]
  for (const list of lists.map(Object.values<string>)) {
    expect(list.every((text) => text.trim() !== '')).toBe(true)
    expect(new Set(list).size).toBe(list.length)
  }
  if (locale !== 'en')
    for (const reason of Object.values(wording.reasons))
      expect(Object.values(en.reasons)).not.toContain(reason)
})

test('has the twelve languages of the check', () => {
  expect(languages.size).toBe(12)
})
