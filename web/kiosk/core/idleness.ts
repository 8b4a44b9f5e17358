import type { LiveView } from '#web/capture/analysis/tracker.ts'
import type { Situation, StateName } from '#web/capture/machine/state.ts'
import type { KioskState } from './state.ts'

const seconds = 1000

/** How long a screen may be left alone. */
export interface Patience {
  readonly milliseconds: number
  /** Whether a touch begins it anew; what is shown for a while only is not. */
  readonly isRenewed: boolean
}

/** How long each screen waits for somebody; null where it may stand for ever. */
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

/** The screens that nobody types on, reads or waits at. */
const free: ReadonlySet<KioskState['name']> = new Set<KioskState['name']>([
  'starting',
  'elsewhere',
  'installing',
  'attract',
  'closed',
])

/** Whether a reload would take something from somebody: [Note: A new build waits for people] a check, its answer, what they type. */
export function isInUse(state: KioskState): boolean {
  return !free.has(state.name) || (state.name === 'attract' && state.busy)
}

/** The states in which the camera looks for a face all the time. */
const watched: ReadonlySet<StateName> = new Set<StateName>(['align', 'hold', 'done', 'action', 'closing'])

/** The hints of a picture that nobody is in. */
const empty: ReadonlySet<string | null> = new Set(['showFace', 'tooDark'])

/**
 * Whether somebody is at the kiosk without touching it. [Note: A face is company] Who follows the hints has no hand on the
 * screen; and while the device works, it is not the person who keeps it waiting.
 */
export function isAttended({ state }: Situation, { hint }: Pick<LiveView, 'hint'>): boolean {
  if (state.name === 'sending') return true
  return watched.has(state.name) && !empty.has(hint.peek())
}
