import { expect, test } from 'vitest'
import { numberFormat, pluralRules, timeFormat } from '#web/wording/formatters.ts'

test('a formatter is made once for each locale and its options', () => {
  expect(numberFormat('de')).toBe(numberFormat('de', {}))
  expect(pluralRules('ar')).toBe(pluralRules('ar'))
  const inUtc = timeFormat('en', { hour: '2-digit', timeZone: 'UTC' })
  expect(inUtc).toBe(timeFormat('en', { hour: '2-digit', timeZone: 'UTC' }))
})

test('another locale, other options and another kind are other formatters', () => {
  expect([numberFormat('de').format(0.5), numberFormat('en').format(0.5)]).toEqual(['0,5', '0.5'])
  expect(numberFormat('en', { style: 'percent' }).format(0.5)).toBe('50%')
  expect(timeFormat('en', { hour: '2-digit', timeZone: 'Asia/Tokyo' }).format(0)).toBe('09 AM')
  expect(timeFormat('en', { hour: '2-digit', timeZone: 'UTC' }).format(0)).toBe('12 AM')
  expect(pluralRules('en').select(1)).toBe('one')
})
