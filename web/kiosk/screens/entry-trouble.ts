import type { KioskState } from '#web/kiosk/core/state.ts'
import type { KioskWording } from '#web/kiosk/wording/kiosk-wording.ts'

/** The error message for a rejected entry. */
export function entryTroubleOf(
  state: KioskState,
  { pairingTrouble, text }: KioskWording,
): string | undefined {
  switch (state.name) {
    case 'pairing':
      return state.trouble === null ? undefined : pairingTrouble[state.trouble]
    case 'newPin':
      return state.trouble === null ? undefined : text[state.trouble]
    case 'pin':
      return state.isWrong ? text.pinWrong : undefined
    case 'unpair':
      if (state.trouble === null) return undefined
      return state.trouble === 'wrongName' ? text.wrongName : text.waitingLost
    default:
      return undefined
  }
}
