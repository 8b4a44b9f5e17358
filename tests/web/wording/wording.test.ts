import { describe, expect, test } from 'vitest'
import { beginning } from '#web/capture/machine/machine.ts'
import { ar } from '#web/wording/ar.ts'
import { byTheEnd } from '#web/wording/by-the-end.ts'
import { de } from '#web/wording/de.ts'
import { en } from '#web/wording/en.ts'
import {
  consentInShort,
  consentRows,
  count,
  fill,
  placesOf,
  spokenIn,
  wordingVersion,
} from '#web/wording/fill.ts'
import { chooseLanguage, loadWording } from '#web/wording/languages.ts'
import type { Wording } from '#web/wording/wording.ts'
import { bare, looseFrench, phrases, places, secondWords, type Tree, unfitWords } from '../support/phrases.ts'

const plan = {
  verifiers: { liveness: true, age: true, gender: false, faceRecognition: false, emotion: false },
  challenge: null,
  evidence: null,
  locale: null,
  theme: { accountName: 'Northwind', accentColour: null, logo: null, region: 'EU' },
  embedOrigins: [],
}

/** Words that are the same in two languages. */
const allowedToEqual: Readonly<Record<string, readonly string[]>> = {
  de: ['/text/code'],
  fr: ['/text/code', '/consent/emotion/term'],
  nl: ['/text/code', '/consent/camera/term', '/consent/filmed/term'],
}

describe('English keeps its limits', () => {
  test.each(phrases(en.button))('button %s: %s', (_key, text) =>
    expect(bare(text).length).toBeLessThanOrEqual(24),
  )
  test.each([...phrases(en.hint), ...phrases(en.action)])('hint %s: %s', (_key, text) =>
    expect(text.length).toBeLessThanOrEqual(40),
  )
  test.each([...phrases(en.title), ...phrases(en.linkTitle), ...phrases(en.cameraTitle)])(
    'title %s: %s',
    (_key, text) => expect(bare(text).length).toBeLessThanOrEqual(48),
  )
})

const languages = ['en', 'ar', 'de', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pl', 'pt', 'zh']
const wordings = await Promise.all(languages.map(async (name) => [name, await loadWording(name)] as const))

/** The word for an hour in each language. */
const hours = /hour|stunde|hora|heure|\bora\b|’ora|uur|godzin|ساعة|घंट|時間|小时/i

describe.each(wordings)('%s', (language, wording) => {
  test('states no duration of a limit: most reset sooner than in an hour', () => {
    expect(wording.linkText.tooMany).not.toMatch(hours)
  })

  const all = phrases(wording as unknown as Tree)

  test('has no line break inside a time of day', () => {
    const expiresAt = new Date(2026, 0, 1, 23, 52).getTime()
    expect(byTheEnd('{time}', { ...beginning.context, expiresAt }, wording)).not.toMatch(/[^\S\u00a0]/)
  })

  test('keeps machine-readable text in its own direction', () => {
    if (wording.direction === 'ltr') return
    for (const [key, text] of all)
      expect(text.replace(/\u2066[^\u2069]*\u2069/g, ''), key).not.toMatch(/[="]/)
  })

  test('is itself', () => {
    expect(wording.locale).toBe(language)
    expect(wording.direction).toBe(language === 'ar' ? 'rtl' : 'ltr')
  })

  test('has a phrase for every key of English, and no other', () => {
    const keys = (of: Wording) =>
      phrases({ ...of, seconds: {}, tries: {} } as unknown as Tree).map(([key]) => key)
    expect(keys(wording)).toEqual(keys(en))
  })

  test('has every plural form of its language', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const plural of [wording.seconds, wording.tries])
      expect(Object.keys(plural).sort()).toEqual([...pluralCategories].sort())
  })

  test('fits into the layout’s room for English', () => {
    const limit = { button: 24, hint: 40, action: 40, title: 48, linkTitle: 48, cameraTitle: 48 } as const
    const long = Object.entries(limit).flatMap(([group, most]) =>
      phrases(wording[group as keyof typeof limit]).filter(([, text]) => bare(text).length > most * 1.6),
    )
    expect(long).toEqual([])
  })

  test('contains every phrase', () => expect(all.filter(([, text]) => text.trim() === '')).toEqual([]))

  test('blames and shouts at no one', () => {
    expect(all.filter(([, text]) => unfitWords.test(text))).toEqual([])
  })

  test('uses one word per thing, and breaks no line before a mark', () => {
    const second = secondWords[language]
    expect(all.filter(([, text]) => second?.test(text))).toEqual([])
    expect(all.filter(([, text]) => language === 'fr' && looseFrench.test(text))).toEqual([])
  })

  test('fills the placeholders of English', () => {
    const english = new Map(phrases(en as unknown as Tree))
    const different = all.filter(([key, text]) => {
      const original = english.get(key)
      return (
        original !== undefined &&
        !/^\/(seconds|tries)\//.test(key) &&
        places(text).join() !== places(original).join()
      )
    })
    expect(different).toEqual([])
  })
})

describe.each(wordings.filter(([language]) => language !== 'en'))(
  '%s beside English',
  (language, wording) => {
    test('has translated phrases', () => {
      const english = new Map(phrases({ ...en, direction: '' } as unknown as Tree))
      const same = phrases(wording as unknown as Tree).filter(
        ([key, text]) => /\p{L}{3}/u.test(bare(text)) && english.get(key) === text,
      )
      expect(same.map(([key]) => key)).toEqual(allowedToEqual[language] ?? [])
    })
  },
)

test('the last hold names no direction with another meaning', () => {
  const shown = [en.title.closing, en.hint.straight, en.hint.onePerson, en.hint.showFace, en.hint.intoPicture]
  expect(shown.join(' ')).not.toMatch(/\b(left|right|chin|smile|closer|eyes)\b/i)
})

test('numbers take their plural form', () => {
  expect(count('en', en.seconds, 1)).toBe('1 second')
  expect(count('en', en.seconds, 5)).toBe('5 seconds')
  expect(count('ar', ar.seconds, 2)).toBe('ثانيتان')
})

test('placeholders without a value stay visible', () => {
  expect(fill('{step} of {of}', { step: 1 })).toBe('1 of {of}')
})

test.each([
  [['ar-EG', 'en'], 'ar'],
  [['pt-BR'], 'pt'],
  [['zh-Hant-TW'], 'zh'],
  [[null, 'de-AT'], 'de'],
  [['xx', 'constructor'], 'en'],
])('%o speaks %s', (wanted, language) => expect(chooseLanguage(wanted)).toBe(language))

test('the consent names what the plan computes, and its version follows the text', async () => {
  expect(consentRows(en, plan).map(({ term }) => term)).toEqual([
    'Camera',
    'On this device',
    'Sent',
    'Kept',
    'Age',
  ])
  const version = await wordingVersion(en, plan)
  const filmed = { ...plan, evidence: { trail: true, trailPerSecond: 6, trailPixels: 128 } }
  expect(consentRows(en, filmed)[0]!.text).toContain('film')
  expect(await wordingVersion(en, filmed)).not.toBe(version)
  expect(version).toMatch(/^[0-9a-f]{32}$/)
  expect(await wordingVersion(de, plan)).not.toBe(version)
})

test('the consent states the purpose and the controller, and both are part of the agreement', async () => {
  const privacy = { privacyUrl: null, termsUrl: null, controller: 'Northwind Ltd', purpose: 'to open a door' }
  const told = { ...plan, privacy }
  expect(consentRows(en, told).map(({ term }) => term)).toEqual([
    'What for',
    'Responsible',
    ...consentRows(en, plan).map(({ term }) => term),
  ])
  expect(placesOf(told)).toMatchObject({ controller: 'Northwind Ltd', purpose: 'to open a door' })
  expect(consentRows(en, { ...plan, privacy: { ...privacy, controller: null } })).toHaveLength(6)
  const other = { ...plan, privacy: { ...privacy, purpose: 'to close a door' } }
  expect(await wordingVersion(en, other)).not.toBe(await wordingVersion(en, told))
})

test.each(languages)(
  'the consent in %s has three rows open, a fourth if pictures are stored, and every other one folded',
  async (language) => {
    const wording = await loadWording(language)
    const privacy = {
      privacyUrl: null,
      termsUrl: null,
      controller: 'Northwind Ltd',
      purpose: 'to open a door',
    }
    const filmed = { ...plan, privacy, evidence: { trail: true, trailPerSecond: 6, trailPixels: 128 } }
    const { purpose, filmed: film, camera, sent, kept } = wording.consent
    expect(consentInShort(wording, filmed).open).toEqual([purpose, film, sent])
    expect(consentInShort(wording, plan).open).toEqual([camera, sent, kept])
    for (const asked of [plan, filmed]) {
      const { open, folded } = consentInShort(wording, asked)
      expect(new Set([...open, ...folded])).toEqual(new Set(consentRows(wording, asked)))
      expect([...open, ...folded]).toHaveLength(consentRows(wording, asked).length)
    }
  },
)

test.each(languages)(
  'the consent states the purpose in the language %s if there is a text',
  async (language) => {
    const wording = await loadWording(language)
    const privacy = { privacyUrl: null, termsUrl: null, controller: null, purpose: 'to open a door' }
    const purposes = { [language]: 'its own words' }
    const spoken = { ...plan, privacy: { ...privacy, purposes } }
    expect(placesOf(spokenIn(spoken, language)).purpose).toBe('its own words')
    const others = spokenIn(spoken, language === 'de' ? 'en' : 'de')
    expect(placesOf(others).purpose).toBe('to open a door')
    const said = { ...plan, privacy: { ...privacy, purpose: 'its own words' } }
    expect(await wordingVersion(wording, spoken)).toBe(await wordingVersion(wording, said))
    expect(await wordingVersion(wording, spoken)).not.toBe(
      await wordingVersion(wording, { ...plan, privacy }),
    )
  },
)

test.each(languages)(
  'the consent names the days for which a visit stays in lists, in %s',
  async (language) => {
    const wording = await loadWording(language)
    const listed = { ...plan, history: { days: 365 } }
    const rows = consentRows(wording, listed)
    expect(rows).toHaveLength(consentRows(wording, plan).length + 1)
    const row = rows.find((one) => !consentRows(wording, plan).includes(one))!
    expect(fill(row.text, placesOf(listed))).toContain('365')
    expect(new Set(rows.map(({ term }) => term)).size).toBe(rows.length)
    const longer = { ...plan, history: { days: 400 } }
    expect(await wordingVersion(wording, longer)).not.toBe(await wordingVersion(wording, listed))
  },
)

test.each(languages)(
  'the consent states that pictures are stored, how long and for whom, in %s',
  async (language) => {
    const wording = await loadWording(language)
    const usual = consentRows(wording, plan)
    const versions = new Set([await wordingVersion(wording, plan)])
    for (const pictures of ['review', 'all'] as const) {
      const kept = { ...plan, keeps: { pictures, hours: 48 } }
      const rows = consentRows(wording, kept)
      expect(rows).toHaveLength(usual.length + 1)
      expect(rows).not.toContain(wording.consent.sent)
      expect(rows).toContain(wording.consent.sentAndKept)
      const row = rows.find((one) => !usual.includes(one) && one !== wording.consent.sentAndKept)!
      expect(fill(row.text, placesOf(kept))).toContain('48')
      expect(fill(row.text, placesOf(kept))).toContain(plan.theme.accountName)
      versions.add(await wordingVersion(wording, kept))
      versions.add(await wordingVersion(wording, { ...kept, keeps: { pictures, hours: 49 } }))
    }
    expect(versions.size).toBe(5)
  },
)

test('the record of a filmed visit contains more than the result', () => {
  const filmed = { ...plan, evidence: { trail: true, trailPerSecond: 6, trailPixels: 128 } }
  expect(consentRows(en, filmed)).toContain(en.consent.keptSeen)
  expect(consentRows(en, plan)).toContain(en.consent.kept)
})
