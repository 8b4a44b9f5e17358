import { fill } from './fill.ts'
import type { Wording } from './wording.ts'

/** A phrase that says until when the session lasts, on this device's clock; no line breaks within the time. */
export function byTheEnd(
  phrase: string,
  { expiresAt }: { readonly expiresAt: number | null },
  { locale }: Wording,
): string {
  const end = new Date(expiresAt ?? Date.now())
  const time = end.toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' })
  return fill(phrase, { time: time.replace(/\s/g, '\u00a0') })
}
