import type { AnalysisFailure } from '#web/capture/analysis/analyser.ts'
import type { CameraCause } from '#web/wording/findings.ts'
import { follow, followed, mayOfferHandoff, offerHandoff } from './handoff.ts'
import { begin, conclude } from './passkey.ts'
import type { Context, EventOf, Reactions, State, Step } from './state.ts'
import { align, late, openAgain, openCamera, otherCamera, tell, tryAgain, tryLaterThan } from './steps.ts'
import { notBegun, nowhere } from './wayside.ts'

const slowCameraMilliseconds = 5000

/** The states from the link to the first picture. */
export const opening = {
  opening(event, state) {
    switch (event.type) {
      case 'opened':
        return opened(event)
      case 'notOpened':
        return nowhere(event)
      case 'codeWanted':
        return askForCode(event)
      case 'cutOff':
        return cutOff(event)
      case 'late':
        return { state: { ...state, slow: true } }
      case 'beingChecked':
        return { state: { ...state, checking: true } }
      case 'tryAgain':
        return openAgain()
      default:
        return undefined
    }
  },
  codeEntry(event) {
    switch (event.type) {
      case 'codeTyped':
        return {
          state: { name: 'codeEntry', busy: true, wrong: false },
          effects: [{ type: 'takeCode', code: event.code }],
        }
      case 'opened':
        return opened(event)
      case 'codeWanted':
        return askForCode(event)
      default:
        return undefined
    }
  },
  linkProblem(event, { redirectUrl, problem }) {
    if (event.type === 'tryAgain') return openAgain()
    if (problem === 'unreachable') {
      if (event.type === 'opened') return opened(event)
      if (event.type === 'cutOff') return cutOff(event)
      if (event.type === 'codeWanted') return askForCode(event)
      if (event.type === 'beingChecked') return beingChecked()
      if (event.type === 'online' || event.type === 'late') return { effects: [{ type: 'open' }] }
    }
    if (event.type === 'depart' && redirectUrl !== null) return { effects: [{ type: 'leave', redirectUrl }] }
    return undefined
  },
  consent(event, _state, context) {
    if (event.type === 'agree') {
      return { state: begin(context), context: { consented: true }, effects: [{ type: 'remember' }] }
    }
    if (event.type === 'disagree') return notBegun(context)
    if (event.type === 'anotherWay') return { state: { name: 'anotherWay', from: 'consent' } }
    if (event.type === 'usePhone' && mayOfferHandoff(context)) return offerHandoff()
    return undefined
  },
  anotherWay(event, { from }, context) {
    if (event.type === 'back') return { state: { name: from === 'cameraProblem' ? 'ready' : from } }
    if (event.type !== 'takeOtherWay' || context.plan?.alternative === undefined) return undefined
    return tell('otherWay', context.framesSent > 0, true)
  },
  ready(event, _state, context) {
    const { analysis } = context
    if (event.type === 'usePhone' && mayOfferHandoff(context)) return offerHandoff()
    if (event.type !== 'startCamera') return undefined
    if (isFailure(analysis)) return { state: { name: 'cameraProblem', cause: analysis } } // no point in turning the camera on
    return openCamera()
  },
  asking(event, _state, context) {
    switch (event.type) {
      case 'cameraOpened':
        return {
          state: { name: 'starting', camera: false, slow: false },
          effects: [late(slowCameraMilliseconds)],
        }
      case 'cameraRefused':
        return refused(event.cause, context)
      case 'late':
        return { state: { name: 'asking', late: true } }
      case 'tryAgain':
        return tryAgain(context)
      case 'otherCamera':
        return otherCamera(event, context)
      case 'usePhone':
        return mayOfferHandoff(context) ? offerHandoff() : undefined
      default:
        return undefined
    }
  },
  starting(event, state, context) {
    switch (event.type) {
      case 'cameraReady':
        return context.analysis === 'loading' ? { state: { ...state, camera: true } } : align()
      case 'analysisAdvanced':
      case 'analysisReady': {
        const known = { context: { analysis: 'to' in event ? event.to : ('ready' as const) } }
        return state.camera ? { ...align(), ...known } : known
      }
      case 'late':
        return { state: { ...state, slow: true } }
      case 'tryAgain':
        return tryAgain(context)
      case 'otherCamera':
        return otherCamera(event, context)
      case 'usePhone':
        return mayOfferHandoff(context) ? offerHandoff() : undefined
      default:
        return undefined
    }
  },
  cameraProblem(event, _state, context) {
    switch (event.type) {
      case 'tryAgain':
      case 'continue':
        return context.plan === null ? openAgain() : tryAgain(context)
      case 'otherCamera':
        return otherCamera(event, context)
      case 'anotherWay':
        return { state: { name: 'anotherWay', from: 'cameraProblem' } }
      case 'usePhone':
        return mayOfferHandoff(context) ? offerHandoff() : undefined
      case 'late':
        return { effects: [{ type: 'makeCode' }] }
      case 'followed':
        return followed(event)
      case 'verdict':
        return conclude(event, context)
      default:
        return undefined
    }
  },
} satisfies Partial<Reactions>

function isFailure(analysis: Context['analysis']): analysis is AnalysisFailure {
  return analysis === 'notLoaded' || analysis === 'wrongFile' || analysis === 'tooSlow'
}

function askForCode({ wrong }: EventOf<'codeWanted'>): Step {
  return { state: { name: 'codeEntry', busy: false, wrong } }
}

/** The session was opened or found. A followed session needs no networks; one that was taken over first asks whose check it is. */
export function opened({
  type: _type,
  handoff,
  furtherTry,
  isBegun = true,
  ...rest
}: EventOf<'opened'>): Step {
  const known = { ...rest, isBegun }
  if (handoff?.place === 'follows') {
    const { effects = [], ...following } = follow(handoff)
    return { ...following, context: known, effects: [...effects, { type: 'remember' }] }
  }
  const isGuest = handoff?.place === 'guest'
  const number = isGuest && !known.consented ? handoff.number : null
  const { asksPasskey = false, progress } = known
  const goesOn: State =
    furtherTry !== undefined && progress.kind === 'fresh'
      ? { name: 'furtherTry' }
      : begin({ asksPasskey, progress })
  const agreed: State = known.consented ? goesOn : { name: 'consent' }
  return {
    state: number === null ? agreed : { name: 'numberCheck', number },
    context: { ...known, isGuest, furtherTry: furtherTry ?? null },
    effects: [{ type: 'prepare', plan: known.plan }, { type: 'remember' }],
  }
}

/**
 * [Note: A frame without a camera] Only the embedding page can grant camera access. The check can continue in a new tab or on
 * another device, in which case this page follows it and reports the outcome to the embedding page.
 */
function refused(cause: CameraCause, context: Context): Step {
  const goesOnInTab = cause === 'embedded' && mayOfferHandoff(context)
  return {
    state: { name: 'cameraProblem', cause },
    ...(goesOnInTab && { context: { code: null }, effects: [{ type: 'makeCode' }, { type: 'follow' }] }),
  }
}

/** The page was reloaded while offline. Everything except the session is available and is prepared in the meantime. */
function cutOff({ plan, expiresAt, waitInMilliseconds }: EventOf<'cutOff'>): Step {
  return {
    state: { name: 'offline', awaiting: 'opening' },
    context: { plan, expiresAt },
    effects: [{ type: 'prepare', plan }, tryLaterThan(waitInMilliseconds)],
  }
}

/** The network is back, and the server is judging the session. */
export function beingChecked(): Step {
  return { state: { name: 'opening', slow: false, checking: true } }
}
