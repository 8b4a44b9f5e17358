import { numberFormat, timeFormat } from '#web/wording/formatters.ts'
/** Formats milliseconds since 1970 as a date and hour. */
export function hourOf(at: number, locale: string): string {
  return timeFormat(locale, { dateStyle: 'short', timeStyle: 'short' }).format(at)
}

/** Formats bytes as megabytes, or as gigabytes above a thousand megabytes. */
export function sizeOf(bytes: number, locale: string): string {
  const unit = bytes < 1e9 ? 'megabyte' : 'gigabyte'
  const value = bytes / (bytes < 1e9 ? 1e6 : 1e9)
  return unitOf(value, unit, locale)
}

/** Formats positive or negative seconds as minutes or hours. */
export function lengthOf(seconds: number, locale: string): string {
  const minutes = Math.abs(seconds) / 60
  return minutes < 120 ? unitOf(minutes, 'minute', locale) : unitOf(minutes / 60, 'hour', locale)
}

function unitOf(value: number, unit: string, locale: string): string {
  const format = {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: value < 10 ? 1 : 0,
  } as const
  return numberFormat(locale, format).format(value)
}
