import { describe, expect, test } from 'vitest'
import {
  chooseConsoleLanguage,
  languageNames,
  loadConsoleWording,
} from '#web/console/wording/console-languages.ts'
import { en } from '#web/console/wording/en.ts'
import { phrases, places, type Tree } from '../../support/phrases.ts'

/** Phrases with a count have different forms in other languages. */
const isCounted = (key: string) => /\/(zero|one|two|few|many|other)$/.test(key)
const english = new Map(phrases(en as unknown as Tree))

describe.each(Object.keys(languageNames))('the console in %s', (language) => {
  test('contains every phrase, translated, with the same placeholders', async () => {
    const wording = await loadConsoleWording(language)
    expect([wording.locale, wording.direction]).toEqual([language, language === 'ar' ? 'rtl' : 'ltr'])
    const own = new Map(phrases(wording as unknown as Tree))
    const plain = (keys: Iterable<string>) => [...keys].filter((key) => !isCounted(key)).sort()
    expect(plain(own.keys())).toEqual(plain(english.keys()))
    for (const [key, text] of own) {
      expect(text.trim(), key).not.toBe('')
      if (english.has(key)) expect(places(text), key).toEqual(places(english.get(key)!))
    }
    const same = [...own].filter(([key, text]) => english.get(key) === text && /[a-z]{4} [a-z]/i.test(text))
    if (language !== 'en') expect(same).toEqual([])
  })
})

test.each([
  [[null, 'de-AT'], 'de'],
  [['ja', 'de'], 'ja'],
  [['fr-FR', 'AR'], 'ar'],
  [['fr'], 'en'],
  [[], 'en'],
])('a person who prefers %j gets %s', (wanted, language) => {
  expect(chooseConsoleLanguage(wanted)).toBe(language)
})
