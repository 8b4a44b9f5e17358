import { expect, test } from 'vitest'
import { answerWords, kioskHeadingOf } from '#web/kiosk/screens/kiosk-heading.ts'
import { kioskSaidOf } from '#web/kiosk/screens/kiosk-said.ts'
import { kioskLocales, loadKioskWording } from '#web/kiosk/wording/kiosk-languages.ts'
import { kioskExhibits } from '#web/preview/kiosk-exhibits.ts'
import { loadWording } from '#web/wording/languages.ts'

const wordsIn = async (locale: string) => ({
  page: await loadWording(locale),
  kiosk: await loadKioskWording(locale),
})

test.each(kioskLocales)('every screen of the kiosk has an announcement, in %s', async (locale) => {
  const words = await wordsIn(locale)
  for (const [name, state] of Object.entries(kioskExhibits))
    expect(kioskSaidOf(state, words), name).toMatch(/^[^{}]*\S[^{}]*$/)
})

test('an error is read out instead of the heading', async () => {
  const words = await wordsIn('en')
  expect(kioskSaidOf(kioskExhibits['kiosk-pin-wrong']!, words)).toBe('This is not the PIN.')
  expect(kioskSaidOf(kioskExhibits['kiosk-pairing-gone']!, words)).toContain('expired')
  expect(kioskSaidOf({ name: 'visit' }, words)).toBeUndefined()
})

test('each end of a visit has a distinct heading', async () => {
  const words = await wordsIn('en')
  const ends = ['passed', 'staff', 'later', 'nothing', 'notKept'] as const
  const headings = ends.map((answer) =>
    kioskHeadingOf({ name: 'answer', answer, expression: null, staying: false }, words),
  )
  expect(new Set(headings).size).toBe(ends.length)
  expect(headings[1]).toBe('Please see a member of staff')
})

test('the operator’s words for an end replace the product’s, and are read out', async () => {
  const texts = { saved: { en: { title: 'Go in, we check later' } }, failed: { de: { title: 'Zur Kasse' } } }
  const words = await wordsIn('fr')
  const later = { name: 'answer', answer: 'later', expression: null, staying: false } as const
  expect(kioskSaidOf(later, words, texts)).toBe('Go in, we check later')
  expect(answerWords('later', words, texts)).toEqual({ title: 'Go in, we check later' })
  expect(answerWords('staff', words, texts).title).toBe(words.kiosk.title.staff)
  expect(answerWords('staff', await wordsIn('de'), texts)).toEqual({ title: 'Zur Kasse' })
  expect(answerWords('notKept', words, texts).title).toBe(words.kiosk.title.notKept)
})
