import type { NextStep } from '#shared/contract/sessions/session.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { thresholds } from '#web/capture/analysis/thresholds.ts'
import type { Context, Event, EventOf, Reactions, StateOf, Step } from './state.ts'
import {
  act,
  align,
  answered,
  close,
  done,
  helpMilliseconds,
  lastStepOf,
  late,
  otherCamera,
  request,
  send,
  timeToAct,
  tryLater,
} from './steps.ts'

/** States from the oval to the last picture. */
export const capturing = {
  align(event, state, { analysis }) {
    if (event.type === 'staged' && event.stage === 'align') return startHold()
    if (event.type === 'late' && analysis === 'faces') return undefined // delayed by the network, not by the person
    return helpFrom(event, { ...state, helpOffered: true })
  },
  hold(event, state, context) {
    if (event.type === 'staged' && event.stage === 'hold') return held(event, context)
    return helpFrom(event, { ...state, helpOffered: true })
  },
  help(event, _state, context) {
    switch (event.type) {
      case 'closeHelp':
        return align()
      case 'otherCamera':
        return otherCamera(event, context)
      case 'sendAnyway':
        return sendAnyway
      default:
        return undefined
    }
  },
  done(event, state, context) {
    if (state.returning !== undefined) return cameBack(event, state.returning, context)
    if (event.type === 'stepAnswered') return nextOf(event, context)
    if (event.type === 'staged' && event.stage === 'snapshot') return send(event.frames, lastStepOf(context))
    if (event.type === 'late') return { state: { ...state, late: true } }
    if (event.type === 'unsent') {
      const off = [{ type: 'track', stage: { name: 'idle' } }, { type: 'closeCamera' }] as const
      return { state: { name: 'offline', awaiting: 'step' }, effects: [...off, tryLater] }
    }
    return undefined
  },
  action(event, { step, startedAt }) {
    switch (event.type) {
      case 'acted':
        return comeBack(step, startedAt)
      case 'timeUp':
        return { ...pause(step, true), context: { ranOut: true } }
      case 'moreTime':
        return pause(step, false)
      case 'otherAction':
        return request(step, 'otherAction')
      default:
        return undefined
    }
  },
  paused(event, { step, idle }, context) {
    if (event.type === 'late' && idle) return { effects: [{ type: 'track', stage: { name: 'present' } }] }
    if (event.type === 'staged' && event.stage === 'present')
      return answerUntried(step, event.frames, context)
    if (event.type === 'continue') return request(step, 'moreTime')
    if (event.type === 'otherAction') return request(step, 'otherAction')
    return undefined
  },
  closing(event, _state, context) {
    return event.type === 'staged' ? closed(event, context) : undefined
  },
  retake(event, _state, context) {
    if (event.type !== 'takeAgain') return undefined
    return { ...close(context), context: { retakes: context.retakes + 1 } }
  },
} satisfies Partial<Reactions>

const idleMilliseconds = 5000
/** Longer than the return may take while there are pictures of it. */
const comingBackMilliseconds = 8000

/**
 * [Note: A countdown pauses] People who ask for more time get as much as they like. If the time ran out
 * with a face in view, nothing was attempted: after a while the step is submitted as it is, and the server requests
 * another action. People who left the view find the page paused.
 */
function pause(step: NextStep, idle: boolean): Step {
  return {
    state: { name: 'paused', step, idle },
    effects: [{ type: 'track', stage: { name: 'idle' } }, ...(idle ? [late(idleMilliseconds)] : [])],
  }
}

/** The action is done. The next one is shown when the person looks straight ahead again. */
function comeBack(step: NextStep, startedAt: number): Step {
  return {
    state: { name: 'done', after: 'action', late: false, returning: { step, startedAt } },
    effects: [late(comingBackMilliseconds)],
  }
}

/** [Note: A stream that stands still] Without pictures of the return, the step is requested again. */
function cameBack(
  event: Event,
  { step, startedAt }: NonNullable<StateOf<'done'>['returning']>,
  context: Context,
): Step | undefined {
  if (event.type === 'late') return request(step, 'moreTime')
  if (event.type !== 'staged') return undefined
  return answerStep(step, event.frames, context, startedAt + step.timeLimitInSeconds * 1000)
}

/** Submits the frames of a step, unless they are late and that matters. */
function answerStep(
  { step }: NextStep,
  frames: readonly Picture[],
  { framesSent }: Context,
  until?: number,
): Step {
  return {
    ...done('action', [
      { type: 'track', stage: { name: 'idle' } },
      { type: 'submitStep', step, frames, ...(until !== undefined && { until }) },
    ]),
    context: { framesSent: framesSent + frames.length },
  }
}

/** Submits an unattempted step; the screen does not call it done. */
function answerUntried(step: NextStep, frames: readonly Picture[], context: Context): Step {
  const answer = answerStep(step, frames, context)
  return { ...answer, state: { name: 'done', after: 'request', late: false } }
}

function startHold(): Step {
  return {
    state: { name: 'hold', helpOffered: false },
    effects: [{ type: 'track', stage: { name: 'hold' } }, late(helpMilliseconds)],
  }
}

/** Sends pictures without selection, whoever is in them: the server decides. */
const sendAnyway: Step = {
  state: { name: 'done', after: 'hold', late: false },
  effects: [{ type: 'track', stage: { name: 'snapshot' } }],
}

/**
 * [Note: A bad capture is repeated before it is sent] The person sees what spoiled the last pictures, and they are retaken
 * a few times. After that they are sent regardless, so that the visit always ends.
 */
function closed({ frames, fault }: EventOf<'staged'>, context: Context): Step {
  if (fault === null || context.retakes >= thresholds.retakes) return send(frames, lastStepOf(context))
  return { state: { name: 'retake', fault }, effects: [{ type: 'track', stage: { name: 'idle' } }] }
}

/** Offers help after a while. It can be ignored. */
function helpFrom(
  event: Event,
  offered: { readonly name: 'align' | 'hold'; readonly helpOffered: boolean },
): Step | undefined {
  if (event.type === 'late') return { state: offered }
  if (event.type === 'sendAnyway') return sendAnyway
  if (event.type !== 'help') return undefined
  return {
    state: { name: 'help', crowded: event.crowded },
    effects: [{ type: 'track', stage: { name: 'idle' } }],
  }
}

function held({ frames }: EventOf<'staged'>, context: Context): Step {
  const { plan, progress } = context
  if (plan === null || plan.challenge === null) return send(frames, 0)
  switch (progress.kind) {
    case 'fresh':
      return {
        ...done('hold', [
          { type: 'track', stage: { name: 'idle' } },
          { type: 'submitStep', step: 0, frames },
        ]),
        context: { framesSent: context.framesSent + frames.length },
      }
    case 'step': // after a reload or an absence the step's time restarts
      return request(progress.step, 'moreTime')
    case 'closing':
      return close(context)
  }
}

function nextOf(event: EventOf<'stepAnswered'>, context: Context): Step {
  const change = answered(event, context)
  const now = { ...context, ...change }
  const again = !event.accepted && !event.request && context.progress.kind === 'step'
  const step = event.next === null ? close(now) : askInTime(event.next, event, again, now)
  return { ...step, context: change }
}

/** People need this long to read, to move and to come back. */
const leastTimeToAct = 6000
/** The time of a step has room for this much. */
const mostTravel = 3000

/**
 * [Note: The network's time is not the person's] A step whose answer was late, or whose pictures will be on their way for long, is given more time before it
 * is shown. Where even that does not suffice, the page says that it is the network.
 */
function askInTime(next: NextStep, event: EventOf<'stepAnswered'>, again: boolean, context: Context): Step {
  const { at, lateMilliseconds: late = 0, handInMilliseconds: handIn = 0 } = event
  const isQuick = late < mostTravel && handIn < mostTravel
  if (isQuick || timeToAct(next, { late, handIn }) >= leastTimeToAct)
    return act(next, again, at - late, context, { late, handIn })
  if (!event.request) return request(next, 'moreTime')
  return {
    state: { name: 'cameraProblem', cause: 'slowNetwork' },
    effects: [{ type: 'track', stage: { name: 'idle' } }, { type: 'closeCamera' }],
  }
}
