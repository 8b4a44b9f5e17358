import type { Origin } from '#server/features/callers/callers.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
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
 * What a visit is made with, by what its browser calls itself: a hint for counts and lists, which decides nothing. Nothing where it is no browser,
 * as the program of an integrator. [Note: Tablets of Apple] ask for the pages of a desk, and say that they are one.
 */
function visitorOf(userAgent: string | undefined): Visitor | undefined {
  if (userAgent === undefined || !userAgent.startsWith('Mozilla/')) return undefined
  const device = firstOf(devices, userAgent)
  return device === undefined ? undefined : { device, browser: firstOf(browsers, userAgent) ?? 'other' }
}

/** What of a session says so of whoever calls: the device that the pictures come from counts, whichever opened it. */
export function visitorIn({ userAgent }: Pick<Origin, 'userAgent'>): Pick<SessionRecord, 'visitor'> {
  const visitor = visitorOf(userAgent)
  return visitor === undefined ? {} : { visitor }
}

function firstOf<T>(known: readonly (readonly [RegExp, T])[], userAgent: string): T | undefined {
  return known.find(([pattern]) => pattern.test(userAgent))?.[1]
}
