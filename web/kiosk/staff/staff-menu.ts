import type {
  KioskContext,
  KioskEvent,
  KioskReaction,
  KioskState,
  KioskStateOf,
  KioskStep,
  MenuSection,
} from '#web/kiosk/core/state.ts'

type StaffState = 'pin' | 'menu' | MenuSection

/** The screens behind the PIN. Each one closes automatically when idle. */
export function staffMenu(homeOf: (context: KioskContext) => KioskState) {
  const closed = (event: KioskEvent, context: KioskContext): KioskStep | undefined =>
    event.type === 'close' || event.type === 'idle' ? { state: homeOf(context) } : undefined

  const section = (event: KioskEvent, context: KioskContext): KioskStep | undefined =>
    event.type === 'back' ? { state: { name: 'menu' } } : closed(event, context)

  return {
    pin(event, state, context) {
      if (event.type === 'pinChecked') return pinChecked(event)
      if (event.type !== 'enterPin' || state.busy) return closed(event, context)
      return { state: { ...state, busy: true }, effects: [{ type: 'checkPin', pin: event.pin }] }
    },
    menu(event, _state, context) {
      return event.type === 'openSection' ? { state: sectionOf(event.section) } : closed(event, context)
    },
    queue(event, state, context) {
      if (event.type === 'done') return { state: { ...state, busy: false } }
      if ((event.type !== 'sync' && event.type !== 'retry') || state.busy) return section(event, context)
      return { state: { ...state, busy: true }, effects: [{ type: event.type }] }
    },
    storage: (event, _state, context) => section(event, context),
    errors: (event, _state, context) => section(event, context),
    camera: (event, _state, context) => section(event, context),
    unpair(event, state, context) {
      if (event.type === 'notUnpaired') return { state: { ...state, busy: false, trouble: event.trouble } }
      if (event.type !== 'unpair' || state.busy) return section(event, context)
      return unpairing(event, state)
    },
  } satisfies { [N in StaffState]: KioskReaction<N> }
}

function pinChecked({ isRight, waitUntil }: Extract<KioskEvent, { type: 'pinChecked' }>): KioskStep {
  if (isRight) return { state: { name: 'menu' } }
  return { state: { name: 'pin', busy: false, isWrong: true, waitUntil } }
}

function sectionOf(section: MenuSection): KioskState {
  if (section === 'unpair') return { name: section, busy: false, trouble: null }
  return section === 'queue' ? { name: section, busy: false } : { name: section }
}

/** Captures that are waiting are only lost if the person was warned and typed the name again. */
function unpairing(
  { name }: Extract<KioskEvent, { type: 'unpair' }>,
  state: KioskStateOf<'unpair'>,
): KioskStep {
  const loseWaiting = state.trouble === 'waiting'
  return { state: { ...state, busy: true }, effects: [{ type: 'unpair', name, loseWaiting }] }
}
