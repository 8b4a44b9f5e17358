import type { Handoff } from './handoff-place.ts'
import type { Context, EventOf, Reactions, StateOf, Step } from './state.ts'
import { show } from './steps.ts'

/** The hand-over states. One device shows a code and then follows the other device, which takes over. */
export const handoff = {
  handoff(event, state, context) {
    switch (event.type) {
      case 'late':
        return { effects: [{ type: 'makeCode' }] }
      case 'codeRefused':
        return { state: { ...state, trouble: true } }
      case 'tryAgain':
        return { state: { ...state, trouble: false }, effects: [{ type: 'makeCode' }] }
      case 'followed':
        return followed(event)
      case 'verdict': // taken over and finished between two polls
        return show(event)
      case 'back':
        return useThisDevice(context)
      default:
        return undefined
    }
  },
  following(event, state, context) {
    switch (event.type) {
      case 'followed':
        return event.handoff.place === 'own' ? offerHandoff() : followed(event)
      case 'verdict':
        return show(event)
      case 'usePhone':
        return mayComeBack(state) ? offerAnew() : undefined
      case 'back':
        return mayComeBack(state) ? useThisDevice(context) : undefined
      default:
        return undefined
    }
  },
  numberCheck(event, _state, context) {
    if (event.type === 'sameNumber') return { state: { name: context.consented ? 'ready' : 'consent' } }
    if (event.type !== 'otherNumber') return undefined
    return { state: { name: 'moved', refused: true }, effects: [{ type: 'cancelHandoff' }] }
  },
  moved() {
    return undefined
  },
} satisfies Partial<Reactions>

/** True if another device may take over: nothing has been sent, and this device is not a guest. */
export function mayOfferHandoff(context: Context): boolean {
  const { plan, staysHere, isGuest, attempt, framesSent, progress } = context
  const isUntouched = attempt === 1 && framesSent === 0 && progress.kind === 'fresh'
  return plan !== null && !staysHere && !isGuest && isUntouched
}

/** True if the other device has not sent anything, so the person can still choose. */
export function mayComeBack({ handoff }: StateOf<'following'>): boolean {
  return handoff.phase === 'taken'
}

/** Shows a code and polls until it is used. */
export function offerHandoff(): Step {
  return {
    state: { name: 'handoff', trouble: false },
    context: { code: null },
    effects: [{ type: 'closeCamera' }, { type: 'makeCode' }, { type: 'follow' }],
  }
}

/** Takes the session back if it went to the wrong device or that device is gone, and shows a new code. */
function offerAnew(): Step {
  const again = offerHandoff()
  return { ...again, effects: [{ type: 'cancelHandoff' }, ...(again.effects ?? [])] }
}

/** Follows the session on the other device. */
export function follow(handoff: Handoff): Step {
  return {
    state: { name: 'following', handoff },
    context: { code: null },
    effects: [{ type: 'closeCamera' }, { type: 'dropSubmission' }, { type: 'follow' }],
  }
}

/** Handles a polled session; undefined if no device has taken it over yet. */
export function followed({ handoff }: EventOf<'followed'>): Step | undefined {
  return handoff.place === 'follows' ? { state: { name: 'following', handoff } } : undefined
}

function useThisDevice({ consented }: Context): Step {
  return {
    state: { name: consented ? 'ready' : 'consent' },
    context: { code: null },
    effects: [{ type: 'cancelHandoff' }],
  }
}
