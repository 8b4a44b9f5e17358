import type { KioskState } from '#web/kiosk/core/state.ts'
import type { KioskWords } from '#web/kiosk/wording/kiosk-wording.ts'

/** A kiosk screen's heading. During a visit, the capture page provides its own. */
export function kioskHeadingOf(
  state: Exclude<KioskState, { readonly name: 'visit' }>,
  { page, kiosk }: KioskWords,
): string {
  const { title } = kiosk
  if (state.name === 'closed') return title[state.cause]
  if (state.name !== 'answer') return title[state.name]
  switch (state.answer) {
    case 'passed':
      return page.title.passed
    case 'nothing':
      return page.title.declined
    default:
      return title[state.answer]
  }
}
