import type { KioskStatus } from '#web/kiosk/core/kiosk.ts'
import type {
  KioskContext,
  KioskEffect,
  KioskEvent,
  KioskReaction,
  KioskSituation,
  KioskState,
  KioskStateName,
  KioskStep,
} from '#web/kiosk/core/state.ts'
import { staffMenu } from '#web/kiosk/staff/staff-menu.ts'

/** The status of a paired kiosk in a browser with storage. */
type PairedStatus = Exclude<
  KioskStatus,
  { readonly kind: 'starting' | 'elsewhere' | 'unpaired' | 'storageRefused' }
>

/** The kiosk before its core has reported anything. */
export const kioskBeginning: KioskSituation = {
  state: { name: 'starting' },
  context: { status: { kind: 'starting' }, hasPin: false },
}

/** Screens that only show the status. A new status replaces them. */
const homes: ReadonlySet<KioskStateName> = new Set<KioskStateName>([
  'starting',
  'elsewhere',
  'pairing',
  'newPin',
  'installing',
  'attract',
  'closed',
])

/** The subset of these screens that have their own state: a pending entry, its error, or a visit that is starting. */
const keepsItsOwn: ReadonlySet<KioskStateName> = new Set<KioskStateName>(['pairing', 'newPin', 'attract'])

const visits: ReadonlySet<KioskStateName> = new Set<KioskStateName>(['visit', 'stillThere'])

const reactions: { [N in KioskStateName]: KioskReaction<N> } = {
  starting: () => undefined,
  elsewhere: () => undefined,
  installing: staffOnly,
  closed: staffOnly,
  pairing(event, state) {
    if (event.type === 'notPaired') return { state: { ...state, busy: false, trouble: event.trouble } }
    if (event.type !== 'pair' || state.busy) return undefined
    return { state: { ...state, busy: true }, effects: [{ type: 'pair', code: event.code }] }
  },
  newPin(event) {
    if (event.type !== 'choosePin') return undefined
    if (!/^\d{4,12}$/.test(event.pin)) return { state: { name: 'newPin', trouble: 'notDigits' } }
    if (event.pin !== event.again) return { state: { name: 'newPin', trouble: 'differs' } }
    return { effects: [{ type: 'setPin', pin: event.pin }] }
  },
  attract(event, { busy }, context) {
    switch (event.type) {
      case 'start':
        return busy
          ? undefined
          : { state: { name: 'attract', busy: true }, effects: [{ type: 'beginVisit' }] }
      case 'visitBegan':
        return { state: { name: 'visit' } }
      case 'visitRefused':
        return { state: homeOf(context) }
      case 'idle':
        return { effects: [{ type: 'resetLanguage' }] }
      default:
        return busy ? undefined : staffOnly(event)
    }
  },
  visit(event) {
    if (event.type === 'ended') return ended(event)
    if (event.type === 'idle') return { state: { name: 'stillThere' }, effects: [{ type: 'restVisit' }] }
    return undefined
  },
  stillThere(event, _state, context) {
    if (event.type === 'ended') return ended(event)
    if (event.type === 'here') return { state: { name: 'visit' } }
    return event.type === 'idle' ? wipe(context) : undefined
  },
  answer(event, state, context) {
    if (event.type === 'keep') return { state: { ...state, staying: true } }
    return event.type === 'finish' || event.type === 'idle' ? wipe(context) : undefined
  },
  ...staffMenu(homeOf),
}

/** Handles one event. Pure: effects are values, which kiosk-flow.ts executes. */
export function advanceKiosk(
  situation: KioskSituation,
  event: KioskEvent,
): { situation: KioskSituation; effects: readonly KioskEffect[] } {
  const { state, context } = situation
  if (event.type === 'status') return followStatus(situation, event)
  const reaction = reactions[state.name] as (
    event: KioskEvent,
    state: KioskState,
    context: KioskContext,
  ) => KioskStep | undefined
  const step = reaction(event, state, context)
  return { situation: { state: step?.state ?? state, context }, effects: step?.effects ?? [] }
}

/**
 * [Note: Nobody is sent away] A new status only appears between visits. A visit that has begun ends normally,
 * and staff stay in their menu. Only a kiosk that was unpaired or revoked leaves every screen.
 */
function followStatus(
  { state }: KioskSituation,
  { status, hasPin }: Extract<KioskEvent, { type: 'status' }>,
): { situation: KioskSituation; effects: readonly KioskEffect[] } {
  const context = { status, hasPin }
  const isGone = status.kind === 'unpaired' || status.kind === 'elsewhere'
  const effects = isGone && visits.has(state.name) ? [{ type: 'endVisit' } as const] : []
  const home = homeOf(context)
  const staysHere = isSameScreen(state, home) || (!isGone && !homes.has(state.name))
  return { situation: { state: staysHere ? state : home, context }, effects }
}

/** True if the status has not changed, in which case the screen keeps its state. */
function isSameScreen(state: KioskState, home: KioskState): boolean {
  return state.name === home.name && keepsItsOwn.has(home.name)
}

/** The screen for an idle kiosk. */
function homeOf({ status, hasPin }: KioskContext): KioskState {
  switch (status.kind) {
    case 'starting':
    case 'elsewhere':
      return { name: status.kind }
    case 'unpaired':
      return { name: 'pairing', busy: false, trouble: null }
    case 'storageRefused':
      return { name: 'closed', cause: status.kind }
    default:
      return hasPin ? pairedHomeOf(status) : { name: 'newPin', trouble: null }
  }
}

/** [Note: The PIN comes first] Without a PIN, the menu would be unreachable, and a closed kiosk could never be unpaired. */
function pairedHomeOf(status: PairedStatus): KioskState {
  switch (status.kind) {
    case 'ready':
      return { name: 'attract', busy: false }
    case 'installing':
      return { name: 'installing', share: status.share, isStuck: status.isStuck }
    default:
      return { name: 'closed', cause: status.kind }
  }
}

function staffOnly(event: KioskEvent): KioskStep | undefined {
  if (event.type !== 'staff') return undefined
  return { state: { name: 'pin', busy: false, isWrong: false, waitUntil: null } }
}

/** The person's pictures are released as soon as there is an answer, even before they have read it. */
function ended({ answer, expression }: Extract<KioskEvent, { type: 'ended' }>): KioskStep {
  return { state: { name: 'answer', answer, expression, staying: false }, effects: [{ type: 'endVisit' }] }
}

function wipe(context: KioskContext): KioskStep {
  return { state: homeOf(context), effects: [{ type: 'endVisit' }, { type: 'resetLanguage' }] }
}
