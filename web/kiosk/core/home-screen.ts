import { browserKindOf } from '#web/capture/screens/drawings/browser-kind.ts'

/** The window properties that show how it was opened. */
export interface KioskWindow {
  readonly navigator: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>
  readonly matchMedia: (query: string) => Pick<MediaQueryList, 'matches'>
}

/**
 * [Note: Seven days] After seven days of use without a visit, Safari on iOS and iPadOS deletes a page's storage, including a kiosk's
 * key and queue. Home Screen pages are exempt and have separate storage, so kiosks must be set up there.
 */
export function belongsOnHomeScreen({ navigator, matchMedia }: KioskWindow): boolean {
  if (browserKindOf(navigator) !== 'ios') return false
  const { standalone } = navigator as { standalone?: boolean }
  return standalone !== true && !matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches
}
