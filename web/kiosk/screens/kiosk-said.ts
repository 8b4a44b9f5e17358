import type { OutcomeTexts } from '#shared/contract/configuration/kiosk-config.ts'
import type { KioskState } from '#web/kiosk/core/state.ts'
import type { KioskWords } from '#web/kiosk/wording/kiosk-wording.ts'
import { entryTroubleOf } from './entry-trouble.ts'
import { kioskHeadingOf } from './kiosk-heading.ts'

/** The announcement when a screen appears or an entry is rejected. There is none during a visit, which makes its own. */
export function kioskSaidOf(state: KioskState, words: KioskWords, texts?: OutcomeTexts): string | undefined {
  if (state.name === 'visit') return undefined
  return entryTroubleOf(state, words.kiosk) ?? kioskHeadingOf(state, words, texts)
}
