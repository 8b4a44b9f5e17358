import type { KioskState } from '#web/kiosk/core/state.ts'
import { entryTroubleOf } from './entry-trouble.ts'
import { kioskHeadingOf } from './kiosk-heading.ts'
import type { KioskWords } from './kiosk-props.ts'

/** What is read out when a screen appears, and when something on it is not right; nothing while a visit speaks for itself. */
export function kioskSaidOf(state: KioskState, words: KioskWords): string | undefined {
  if (state.name === 'visit') return undefined
  return entryTroubleOf(state, words.kiosk) ?? kioskHeadingOf(state, words)
}
