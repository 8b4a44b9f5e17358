import type { ConsoleWording } from '#web/console/wording/console-wording.ts'
import { count } from '#web/wording/fill.ts'

/** The consequences of a review, shown before it is made: an event or none, and the end of the pictures. */
export function causedBy(words: ConsoleWording, endpoints: number, keepsPictures: boolean): string {
  const { review, locale } = words
  const event = endpoints === 0 ? review.causesNothing : count(locale, review.causesEvent, endpoints)
  return [review.verdictStays, event, ...(keepsPictures ? [review.picturesGo] : [])].join(' ')
}
