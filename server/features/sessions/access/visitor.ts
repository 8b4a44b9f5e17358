import type { Origin } from '#server/features/callers/callers.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { VisitBrowser, VisitDevice, Visitor } from '#shared/contract/sessions/session-device.ts'

const devices: readonly (readonly [RegExp, VisitDevice])[] = [
  [/\biPad\b|\bTablet\b|\bKindle\b|\bSilk\/|\bAndroid\b(?!.*\bMobile\b)/, 'tablet'],
  [/\biPhone\b|\biPod\b|\bMobile\b|\bMobi\b/, 'phone'],
  [/\bWindows NT\b|\bMacintosh\b|\bCrOS\b|\bX11\b/, 'desk'],
]

const browsers: readonly (readonly [RegExp, VisitBrowser])[] = [
  [/\b(iPhone|iPad|iPod)\b/, 'safari'],
  [/\bSamsungBrowser\//, 'samsung'],
  [/\bFirefox\//, 'firefox'],
  [/\bChrom(e|ium)\//, 'chromium'],
  [/\bSafari\//, 'safari'],
]

/**
 * A visit's device and browser according to its User-Agent: a hint for counts and lists that decides nothing. Undefined
 * for other programs, such as an integrator's. [Note: Tablets of Apple] They request desktop pages and identify as a
 * desktop.
 */
function visitorOf(userAgent: string | undefined): Visitor | undefined {
  if (userAgent === undefined || !userAgent.startsWith('Mozilla/')) return undefined
  const device = firstOf(devices, userAgent)
  return device === undefined ? undefined : { device, browser: firstOf(browsers, userAgent) ?? 'other' }
}

/** The visitor for the session's record. The device that sends the pictures counts, whichever device opened the session. */
export function visitorIn({ userAgent }: Pick<Origin, 'userAgent'>): Pick<SessionRecord, 'visitor'> {
  const visitor = visitorOf(userAgent)
  return visitor === undefined ? {} : { visitor }
}

function firstOf<T>(known: readonly (readonly [RegExp, T])[], userAgent: string): T | undefined {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1]
}
