import { browserKindOf } from '#web/capture/screens/drawings/browser-kind.ts'

/** Properties of a window that show how it was opened. */
export interface KioskWindow {
  readonly navigator: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>
  readonly matchMedia: (query: string) => Pick<MediaQueryList, 'matches'>
}

/**
 * [Note: Seven days] Safari on iOS and iPadOS deletes a page's storage after seven days of use without a visit, including a kiosk's key
 * and queue. Pages on the Home Screen are exempt and have separate storage, so a kiosk must be set up there.
 */
export function belongsOnHomeScreen({ navigator, matchMedia }: KioskWindow): boolean {
  if (browserKindOf(navigator) !== 'ios') return false
  const { standalone } = navigator as { standalone?: boolean }
  return standalone !== true && !matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches
}
