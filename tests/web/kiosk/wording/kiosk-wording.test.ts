import { describe, expect, test } from 'vitest'
import { en } from '#web/kiosk/wording/en.ts'
import { kioskLocales, loadKioskWording } from '#web/kiosk/wording/kiosk-languages.ts'
import { loadWording } from '#web/wording/languages.ts'
import {
  bare,
  looseFrench,
  phrases,
  places,
  secondWords,
  type Tree,
  unfitWords,
} from '../../support/phrases.ts'

describe('English keeps its limits', () => {
  test.each(phrases(en.button))('button %s: %s', (_key, text) => expect(text.length).toBeLessThanOrEqual(24))
  test.each(phrases(en.title))('title %s: %s', (_key, text) => expect(text.length).toBeLessThanOrEqual(48))
})

/** Words that are the same in two languages. */
const allowedToEqual: Readonly<Record<string, readonly string[]>> = { nl: ['/title/camera'] }
const plurals = ['waiting', 'setAside', 'typed'] as const
const wordings = await Promise.all(
  kioskLocales.map(async (name) => [name, await loadKioskWording(name)] as const),
)

test('the kiosk speaks the languages of the capture page', async () => {
  expect([...kioskLocales].sort()).toEqual([
    'ar',
    'de',
    'en',
    'es',
    'fr',
    'hi',
    'it',
    'ja',
    'nl',
    'pl',
    'pt',
    'zh',
  ])
  for (const [language, wording] of wordings) {
    expect(wording.locale).toBe(language)
    expect((await loadWording(language)).locale).toBe(language)
  }
})

describe.each(wordings)('%s', (language, wording) => {
  const all = phrases(wording as unknown as Tree)
  const isPlural = (key: string) => plurals.some((name) => key.startsWith(`/${name}/`))

  test('has a phrase for every key of English, and no other', () => {
    const keys = (of: typeof en) =>
      phrases(of as unknown as Tree)
        .map(([key]) => key)
        .filter((key) => !isPlural(key))
    expect(keys(wording)).toEqual(keys(en))
  })

  test('has every plural form of its language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const name of plurals)
      expect(Object.keys(wording[name]).sort()).toEqual([...pluralCategories].sort())
  })

  test('fits into the layout’s room for English', () => {
    const long = [
      ...phrases(wording.button).filter(([, text]) => text.length > 24 * 1.6),
      ...phrases(wording.title).filter(([, text]) => text.length > 48 * 1.6),
    ]
    expect(long).toEqual([])
  })

  test('contains every phrase', () => expect(all.filter(([, text]) => text.trim() === '')).toEqual([]))

  test('blames and shouts at no one', () =>
    expect(all.filter(([, text]) => unfitWords.test(text))).toEqual([]))

  test('uses one word per thing, and breaks no line before a mark', () => {
    const second = secondWords[language]
    expect(all.filter(([, text]) => second?.test(text))).toEqual([])
    expect(all.filter(([, text]) => language === 'fr' && looseFrench.test(text))).toEqual([])
  })

  test('fills the placeholders of English', () => {
    const english = new Map(phrases(en as unknown as Tree))
    const different = all.filter(
      ([key, text]) => !isPlural(key) && places(text).join() !== places(english.get(key) ?? '').join(),
    )
    expect(different).toEqual([])
  })
})

describe.each(wordings.filter(([language]) => language !== 'en'))(
  '%s beside English',
  (language, wording) => {
    test('has translated phrases', () => {
      const english = new Map(phrases(en as unknown as Tree))
      const same = phrases(wording as unknown as Tree).filter(
        ([key, text]) => /\p{L}{3}/u.test(bare(text)) && english.get(key) === text,
      )
      expect(same.map(([key]) => key)).toEqual(allowedToEqual[language] ?? [])
    })
  },
)
