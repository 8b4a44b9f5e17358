import { expect, test } from 'vitest'
import { causedBy } from '#web/console/sessions/caused-by.ts'
import { en } from '#web/console/wording/en.ts'

test('what a decision causes names the event, or that there is none, and the end of the pictures', () => {
  const { review } = en
  expect(causedBy(en, 0, false)).toBe(`${review.verdictStays} ${review.causesNothing}`)
  expect(causedBy(en, 2, true)).toBe(
    `${review.verdictStays} ${review.causesEvent.other.replace('{n}', '2')} ${review.picturesGo}`,
  )
})
