import { describe, expect, test } from 'vitest'
import { endonymDrawings, ownNameOf } from '#web/kiosk/screens/endonyms.ts'
import { kioskLocales } from '#web/kiosk/wording/kiosk-languages.ts'

describe('the names of the languages', () => {
  test('are drawn if a panel may have no font for their script, so that none is a row of boxes', () => {
    const isLatin = (locale: string) => /^[\p{Script=Latin}\s]+$/u.test(ownNameOf(locale))
    expect(Object.keys(endonymDrawings).sort()).toEqual(
      kioskLocales.filter((locale) => !isLatin(locale)).toSorted(),
    )
  })

  test('begin with a capital letter and are in their own language', () => {
    expect(['ar', 'de', 'fr'].map(ownNameOf)).toEqual(['العربية', 'Deutsch', 'Français'])
  })
})
