import type { KioskState } from '#web/kiosk/core/state.ts'
import type { KioskWords } from './kiosk-props.ts'

/** Heading of a kiosk screen. During a visit the capture page has its own. */
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
