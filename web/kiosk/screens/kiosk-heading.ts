import type { KioskState } from '#web/kiosk/core/state.ts'
import type { KioskWords } from './kiosk-props.ts'

/** The heading of a screen of the kiosk's own; a visit has those of the capture page. */
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
