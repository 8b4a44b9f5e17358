import type { KioskState } from '#web/kiosk/core/state.ts'
import { entryTroubleOf } from './entry-trouble.ts'
import { kioskHeadingOf } from './kiosk-heading.ts'
import type { KioskWords } from './kiosk-props.ts'

/** Announcement for screen readers when a screen appears or an entry was rejected; none during a visit, which has its own. */
export function kioskSaidOf(state: KioskState, words: KioskWords): string | undefined {
  if (state.name === 'visit') return undefined
  return entryTroubleOf(state, words.kiosk) ?? kioskHeadingOf(state, words)
}
