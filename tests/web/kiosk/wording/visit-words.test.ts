import { describe, expect, test } from 'vitest'
import type { CapturePlan } from '#shared/contract/sessions/session.ts'
import { kioskLocales, loadKioskWording } from '#web/kiosk/wording/kiosk-languages.ts'
import { visitWords } from '#web/kiosk/wording/visit-words.ts'
import { consentRows, wordingVersion } from '#web/wording/fill.ts'
import { loadWording } from '#web/wording/languages.ts'
import { phrases, type Tree } from '../../support/phrases.ts'

const verifiers = { liveness: true, faceRecognition: false, age: true, gender: false, emotion: false }
const plan = { theme: { accountName: 'Northwind', region: 'Frankfurt' }, verifiers } as unknown as CapturePlan

describe.each(kioskLocales)('a visit in %s', (language) => {
  test('mentions that pictures wait, in the consent and in its version', async () => {
    const [page, kiosk] = await Promise.all([loadWording(language), loadKioskWording(language)])
    const words = visitWords(page, kiosk)
    expect(words.consent.sent).toEqual({ term: page.consent.sent.term, text: kiosk.visit.sent })
    expect(words.consent.device).toEqual({ term: page.consent.device.term, text: kiosk.visit.device })
    expect(await wordingVersion(words, plan)).not.toBe(await wordingVersion(page, plan))
  })

  test('mentions that pictures wait if some are stored afterwards, and not that none is stored', async () => {
    const [page, kiosk] = await Promise.all([loadWording(language), loadKioskWording(language)])
    const words = visitWords(page, kiosk)
    const kept = { ...plan, keeps: { pictures: 'all', hours: 48 } } as unknown as CapturePlan
    const row = consentRows(words, kept).find(({ term }) => term === page.consent.sentAndKept.term)
    expect(row?.text).toBe(kiosk.visit.sentAndKept)
    expect([page.consent.sentAndKept.text, kiosk.visit.sent]).not.toContain(row?.text)
    expect(await wordingVersion(words, kept)).not.toBe(await wordingVersion(page, kept))
  })
})

test('no one is asked to hold a kiosk', async () => {
  const words = visitWords(await loadWording('en'), await loadKioskWording('en'))
  const { handoff, qr, loopbackOnly, ...text } = words.text // a kiosk has no handoff
  const seen = { text, action: words.action, hint: words.hint, tips: words.tips, consent: words.consent }
  expect(phrases(seen as unknown as Tree).filter(([, phrase]) => /phone/i.test(phrase))).toEqual([])
})
