import { describe, expect, test } from 'vitest'
import { Endonym } from '#web/kiosk/screens/endonym.tsx'
import { kioskLocales } from '#web/kiosk/wording/kiosk-languages.ts'

/** A language's own name, as text or as the label of its drawing. */
function shownOf(locale: string) {
  const { type, props } = Endonym({ locale })
  return { isDrawn: type === 'svg', name: String(props['aria-label'] ?? props.children) }
}

describe('the names of the languages', () => {
  test('are drawn if a panel may have no font for their script, so that none is a row of boxes', () => {
    const shown = kioskLocales.map(shownOf)
    const isLatin = ({ name }: { name: string }) => /^[\p{Script=Latin}\s]+$/u.test(name)
    expect(shown.filter(isLatin).every(({ isDrawn }) => !isDrawn)).toBe(true)
    expect(shown.filter((one) => !isLatin(one) && !one.isDrawn)).toEqual([])
  })

  test('are read to people who hear the page', () => {
    expect(shownOf('ar').name).toBe('العربية')
    expect(shownOf('de').name).toBe('Deutsch')
  })
})
