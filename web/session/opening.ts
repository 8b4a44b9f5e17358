import type { Context, EventOf, Reaction, Step } from './state.ts'
import { align, openCamera } from './steps.ts'
import { notBegun, nowhere } from './wayside.ts'

/** From the link to the first picture. */
export const opening = {
  opening(event) {
    switch (event.type) {
      case 'unsuited':
        return { state: { name: 'cameraProblem', cause: event.cause } }
      case 'opened':
        return opened(event)
      case 'notOpened':
        return nowhere(event)
      case 'late':
        return { state: { name: 'opening', slow: true } }
      case 'tryAgain':
        return openAgain()
      default:
        return undefined
    }
  },
  linkProblem(event, { redirectUrl }) {
    if (event.type === 'tryAgain') return openAgain()
    if (event.type === 'depart' && redirectUrl !== null) return { effects: [{ type: 'leave', redirectUrl }] }
    return undefined
  },
  consent(event) {
    if (event.type === 'agree') {
      return { state: { name: 'ready' }, context: { consented: true }, effects: [{ type: 'remember' }] }
    }
    if (event.type === 'disagree') return notBegun()
    if (event.type === 'anotherWay') return { state: { name: 'anotherWay', from: 'consent' } }
    return undefined
  },
  anotherWay(event, { from }) {
    if (event.type === 'back') {
      return { state: from === 'consent' ? { name: 'consent' } : { name: 'ready' } }
    }
    return undefined
  },
  ready(event, _state, { analysis }) {
    if (event.type !== 'startCamera') return undefined
    if (analysis === 'loading' || analysis === 'ready') return openCamera(false)
    return { state: { name: 'cameraProblem', cause: analysis } } // a camera would be on for nothing
  },
  asking(event) {
    switch (event.type) {
      case 'cameraOpened':
        return {
          state: { name: 'starting', camera: false, slow: false },
          effects: [{ type: 'wait', milliseconds: 5000, event: { type: 'late' } }],
        }
      case 'cameraRefused':
        return { state: { name: 'cameraProblem', cause: event.cause } }
      case 'late':
        return { state: { name: 'asking', late: true } }
      default:
        return undefined
    }
  },
  starting(event, state, context) {
    switch (event.type) {
      case 'cameraReady':
        return context.analysis === 'ready' ? align() : { state: { ...state, camera: true } }
      case 'analysisReady':
        return state.camera ? align() : { context: { analysis: 'ready' } }
      case 'late':
        return { state: { ...state, slow: true } }
      case 'tryAgain':
        return tryAgain(context)
      default:
        return undefined
    }
  },
  cameraProblem(event, _state, context) {
    switch (event.type) {
      case 'tryAgain':
      case 'continue':
        return context.plan === null ? openAgain() : tryAgain(context)
      case 'anotherWay':
        return { state: { name: 'anotherWay', from: 'cameraProblem' } }
      default:
        return undefined
    }
  },
} satisfies { [N in OpeningState]: Reaction<N> }

type OpeningState =
  | 'opening'
  | 'linkProblem'
  | 'consent'
  | 'anotherWay'
  | 'ready'
  | 'asking'
  | 'starting'
  | 'cameraProblem'

function opened({ type: _type, ...known }: EventOf<'opened'>): Step {
  return {
    state: known.consented ? { name: 'ready' } : { name: 'consent' },
    context: known,
    effects: [{ type: 'prepare', plan: known.plan }, { type: 'remember' }],
  }
}

function openAgain(): Step {
  return {
    state: { name: 'opening', slow: false },
    effects: [{ type: 'open' }, { type: 'wait', milliseconds: 8000, event: { type: 'late' } }],
  }
}

function tryAgain({ plan, analysis }: Context): Step {
  const again = openCamera(false)
  if (plan === null || analysis === 'ready') return again
  return {
    ...again,
    context: { analysis: 'loading' },
    effects: [{ type: 'prepare', plan }, ...(again.effects ?? [])],
  }
}
