import type { LiveView } from '#web/capture/analysis/tracker.ts'
import type { Situation, StateName } from '#web/capture/machine/state.ts'
import type { KioskState } from '#web/kiosk/core/state.ts'

const seconds = 1000

/** How long a screen may be idle. */
export interface Patience {
  readonly milliseconds: number
  /** True if a touch restarts the timer. False for screens that are shown for a fixed time. */
  readonly isRenewed: boolean
}

/** How long each screen waits for a person; null to wait forever. */
export function patienceOf(state: KioskState): Patience | null {
  switch (state.name) {
    case 'attract':
    case 'visit':
    case 'stillThere':
      return { milliseconds: 20 * seconds, isRenewed: true }
    case 'answer':
      return state.staying
        ? { milliseconds: 60 * seconds, isRenewed: true }
        : { milliseconds: 10 * seconds, isRenewed: false }
    case 'pin':
    case 'menu':
    case 'queue':
    case 'storage':
    case 'errors':
    case 'camera':
    case 'unpair':
      return { milliseconds: 60 * seconds, isRenewed: true }
    default:
      return null
  }
}

/** Screens that do not require a person to type, read or wait. */
const free: ReadonlySet<KioskState['name']> = new Set<KioskState['name']>([
  'starting',
  'elsewhere',
  'installing',
  'attract',
  'closed',
])

/** True if a reload would interrupt a person: [Note: A new build waits for people] during a check, while an answer is shown, or while typing. */
export function isInUse(state: KioskState): boolean {
  return !free.has(state.name) || (state.name === 'attract' && state.busy)
}

/** States in which the camera continuously looks for a face. */
const watched: ReadonlySet<StateName> = new Set<StateName>(['align', 'hold', 'done', 'action', 'closing'])

/** Hints that indicate a picture without a face. */
const empty: ReadonlySet<string | null> = new Set(['showFace', 'tooDark'])

/**
 * True if a person is present who does not touch the screen. [Note: A face is company] Someone who follows the hints has no reason
 * to touch it, and while the device is working, it is not the person who causes the wait.
 */
export function isAttended({ state }: Situation, { hint }: Pick<LiveView, 'hint'>): boolean {
  if (state.name === 'sending') return true
  return watched.has(state.name) && !empty.has(hint.peek())
}
