import { browserKindOf } from '#web/capture/screens/drawings/browser-kind.ts'

/** What a window tells of how it was opened. */
export interface KioskWindow {
  readonly navigator: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>
  readonly matchMedia: (query: string) => Pick<MediaQueryList, 'matches'>
}

/**
 * [Note: Seven days] Safari on iOS and iPadOS clears what a page keeps when seven days of use go by without a visit to it, a kiosk's key
 * and its queue too. A page on the Home Screen is spared, and has a storage of its own: it is set up there, or not at all.
 */
export function belongsOnHomeScreen({ navigator, matchMedia }: KioskWindow): boolean {
  if (browserKindOf(navigator) !== 'ios') return false
  const { standalone } = navigator as { standalone?: boolean }
  return standalone !== true && !matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches
}
