import { numberFormat, timeFormat } from '#web/wording/formatters.ts'
/** The date and the time to the second in the viewer's time zone, including the zone's name. */
export function exactTime(time: number, locale: string, timeZone?: string): string {
  return timeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(time)
}

/** A short form for lists: only the time if it was today, otherwise with the date, and with the year if that differs. */
export function shortTime(time: number, now: number, locale: string, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  const dayOf = timeFormat('en-CA', zone)
  if (dayOf.format(time) === dayOf.format(now)) return timeFormat(locale, { ...clock, ...zone }).format(time)
  const yearOf = timeFormat('en-CA', { year: 'numeric', ...zone })
  const isThisYear = yearOf.format(time) === yearOf.format(now)
  return timeFormat(locale, {
    ...(isThisYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...zone,
  }).format(time)
}

/** A duration in at most two units, such as 2 min 5 s. Anything below a second is shown as such. */
export function duration(seconds: number, locale: string): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole === 0) return `<\u00a0${duration(1, locale)}`
  const parts: [number, string][] = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0)
  return shown
    .map(([count, unit]) => numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count))
    .join(' ')
}
