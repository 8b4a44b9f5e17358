import { leaveJudged } from './further-try.ts'
import { beingChecked, opened } from './opening.ts'
import { conclude } from './passkey.ts'
import type { Event, EventOf, Outcome, Reactions, StateOf, Step } from './state.ts'
import { answered, sending, tell, tryLater, tryLaterThan } from './steps.ts'

/** The states from the last picture to the end of the visit. */
export const finishing = {
  sending(event, state, context) {
    switch (event.type) {
      case 'uploaded':
        if (state.phase === 'leaving') return undefined
        return { state: { ...state, share: event.share, phase: event.share >= 1 ? 'checking' : 'sending' } }
      case 'late':
        return { state: { ...state, late: true } }
      case 'verdict':
        return conclude(outcomeOf(event), context)
      case 'unsent':
        return { state: { name: 'offline', awaiting: 'session' }, effects: [tryLater] }
      default:
        return undefined
    }
  },
  offline(event, { awaiting }, context) {
    switch (event.type) {
      case 'online':
      case 'tryNow':
        return resend(awaiting)
      case 'late': // ignored: the screen changes with the next event
        return { effects: [{ type: awaiting === 'opening' ? 'open' : 'sendAgain' }] }
      case 'unsent':
        return { effects: [tryLater] }
      case 'cutOff':
        return { effects: [tryLaterThan(event.waitInMilliseconds)] }
      case 'uploaded':
        return awaiting === 'session' && event.share > 0 ? sending() : undefined
      case 'verdict':
        return conclude(outcomeOf(event), context)
      case 'opened':
        return opened(event)
      case 'beingChecked':
        return beingChecked()
      case 'stepAnswered': // the camera is off, so the person must start it again
        return {
          state: { name: 'cameraProblem', cause: 'reconnected' },
          context: answered(event, context),
        }
      case 'deleteAndLeave': {
        if (context.attempt > 1) return leaveJudged()
        const step = tell('stopped', context.framesSent > 0, true)
        return { ...step, effects: [{ type: 'dropSubmission' }, ...(step.effects ?? [])] }
      }
      default:
        return undefined
    }
  },
  passed: outcome,
  notCompleted: outcome,
  declined(event, state) {
    switch (event.type) {
      case 'depart':
        return depart(state)
      case 'readAgain':
        return state.submission === 'none' ? { state: { name: 'consent' } } : undefined
      case 'leftServer':
        return {
          state: { ...state, submission: 'complete', redirectUrl: event.redirectUrl },
          ...(state.leaving && event.redirectUrl !== null
            ? { effects: [{ type: 'leave', redirectUrl: event.redirectUrl } as const] }
            : {}),
        }
      case 'unsent':
        return { state: { ...state, submission: 'none', leaving: false } }
      case 'expired':
        return { state: { ...state, submission: 'complete', leaving: false } }
      default:
        return undefined
    }
  },
  timeOver(event, state) {
    const { redirectUrl } = state
    if (event.type === 'wayBack') return { state: { ...state, redirectUrl: event.redirectUrl } }
    if (event.type === 'depart' && redirectUrl !== null) return { effects: [{ type: 'leave', redirectUrl }] }
    return undefined
  },
} satisfies Partial<Reactions>

function outcome(event: Event, state: StateOf<'passed' | 'notCompleted'>): Step | undefined {
  const { redirectUrl, staying } = state
  if (event.type === 'wait') return { state: { ...state, staying: true } }
  const goes = event.type === 'depart' || (event.type === 'late' && !staying)
  return goes && redirectUrl !== null ? { effects: [{ type: 'leave', redirectUrl }] } : undefined
}

function outcomeOf({ type: _type, ...outcome }: EventOf<'verdict'>): Outcome {
  return outcome
}

function resend(awaiting: StateOf<'offline'>['awaiting']): Step {
  if (awaiting === 'opening') return { effects: [{ type: 'open' }] }
  if (awaiting === 'step') return { effects: [{ type: 'sendAgain' }] }
  const again = sending()
  return { ...again, effects: [{ type: 'sendAgain' }, ...(again.effects ?? [])] }
}

function depart(state: StateOf<'declined'>): Step {
  const { kind, sent, submission, redirectUrl } = state
  if (submission === 'none') return tell(kind, sent, true)
  if (submission === 'pending') return { state: { ...state, leaving: true } }
  return redirectUrl === null ? {} : { effects: [{ type: 'leave', redirectUrl }] }
}
