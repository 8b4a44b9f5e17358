import { timeFormat } from '#web/wording/formatters.ts'
import { unitOf } from '#web/wording/units.ts'

/** Formats milliseconds since 1970 as a date and hour. */
export function hourOf(at: number, locale: string): string {
  return timeFormat(locale, { dateStyle: 'short', timeStyle: 'short' }).format(at)
}

/** Formats positive or negative seconds as minutes or hours. */
export function lengthOf(seconds: number, locale: string): string {
  const minutes = Math.abs(seconds) / 60
  return minutes < 120
    ? unitOf(minutes, 'minute', locale, 'long')
    : unitOf(minutes / 60, 'hour', locale, 'long')
}
