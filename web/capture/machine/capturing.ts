import { turnsTheHead } from '#models/rules/challenge/movement.ts'
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

/** The states from the oval to the last picture. */
export const capturing = {
  align(event, state, { analysis }) {
    if (event.type === 'staged' && event.stage === 'align') return startHold()
    if (event.type === 'late' && analysis === 'faces') return undefined // the network is slow, not the person
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
    if (state.halfway !== undefined) return halfwayBack(event, { ...state, halfway: state.halfway }, context)
    if (event.type === 'stepAnswered') return nextOf(event, context)
    if (event.type === 'staged' && event.stage === 'snapshot') return send(event.frames, lastStepOf(context))
    return waiting(event, state)
  },
  action(event, { step, startedAt }, context) {
    switch (event.type) {
      case 'staged':
        return answerStep(step, event.frames, context, timeOf(step, startedAt))
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
    if (event.type === 'late') return { state: { name: 'closing', asked: true } }
    return event.type === 'staged' ? closed(event, context) : undefined
  },
  retake(event, _state, context) {
    if (event.type !== 'takeAgain') return undefined
    return { ...close(context), context: { retakes: context.retakes + 1 } }
  },
} satisfies Partial<Reactions>

const idleMilliseconds = 5000
/** Longer than any return for which pictures keep arriving. */
const comingBackMilliseconds = 8000

/**
 * [Note: A countdown pauses] People who ask for more time get as much as they like. If time runs out while a face
 * is in view, nothing was attempted: after a while the step is submitted as it is, and the server requests
 * another action. People who have left the view find the page paused.
 */
function pause(step: NextStep, idle: boolean): Step {
  return {
    state: { name: 'paused', step, idle },
    effects: [{ type: 'track', stage: { name: 'idle' } }, ...(idle ? [late(idleMilliseconds)] : [])],
  }
}

/** Handles events while the server processes a step. */
function waiting(event: Event, state: StateOf<'done'>): Step | undefined {
  if (event.type === 'late') return { state: { ...state, late: true } }
  if (event.type !== 'unsent') return undefined
  const off = [{ type: 'track', stage: { name: 'idle' } }, { type: 'closeCamera' }] as const
  return { state: { name: 'offline', awaiting: 'step' }, effects: [...off, tryLater] }
}

/** [Note: Two things at once] The next instruction needs both the server's answer and a head that is more than halfway back. */
function halfwayBack(
  event: Event,
  state: StateOf<'done'> & { readonly halfway: NonNullable<StateOf<'done'>['halfway']> },
  context: Context,
): Step | undefined {
  const { halfway, ...isBack } = state
  const { answer } = halfway
  if (event.type === 'stepAnswered') return { state: { ...state, halfway: { answer: event } } }
  const goesOn = event.type === 'staged' || event.type === 'late'
  if (answer !== null) return goesOn ? nextOf(answer, context) : undefined
  return event.type === 'staged' ? { state: isBack } : waiting(event, state)
}

/** When a step's time is up, in milliseconds since 1970. */
function timeOf({ timeLimitInSeconds }: NextStep, startedAt: number): number {
  return startedAt + timeLimitInSeconds * 1000
}

/** The action is done, but one of its pictures is still to come. */
function comeBack(step: NextStep, startedAt: number): Step {
  return {
    state: { name: 'done', after: 'action', late: false, returning: { step, startedAt } },
    effects: [late(comingBackMilliseconds)],
  }
}

/** [Note: A stream that stands still] If there are no pictures of the return, the step is requested again. */
function cameBack(
  event: Event,
  { step, startedAt }: NonNullable<StateOf<'done'>['returning']>,
  context: Context,
): Step | undefined {
  if (event.type === 'late') return request(step, 'moreTime')
  if (event.type !== 'staged') return undefined
  return answerStep(step, event.frames, context, timeOf(step, startedAt))
}

/** Submits a step's frames, unless they are too late to count. */
function answerStep(
  { step, action }: NextStep,
  frames: readonly Picture[],
  { framesSent }: Context,
  until?: number,
): Step {
  const stage = turnsTheHead(action) ? 'halfway' : 'idle'
  const { state, effects = [] } = done('action', [
    { type: 'track', stage: { name: stage } },
    { type: 'submitStep', step, frames, ...(until !== undefined && { until }) },
  ])
  return {
    state: stage === 'halfway' ? { ...state, halfway: { answer: null } } : state,
    effects,
    context: { framesSent: framesSent + frames.length },
  }
}

/** Submits a step that was not attempted. The screen does not call it done. */
function answerUntried(step: NextStep, frames: readonly Picture[], context: Context): Step {
  const { framesSent } = context
  return {
    ...done('request', [
      { type: 'track', stage: { name: 'idle' } },
      { type: 'submitStep', step: step.step, frames },
    ]),
    context: { framesSent: framesSent + frames.length },
  }
}

function startHold(): Step {
  return {
    state: { name: 'hold', helpOffered: false },
    effects: [{ type: 'track', stage: { name: 'hold' } }, late(helpMilliseconds)],
  }
}

/** Sends pictures without any selection, whoever they show, and lets the server decide. */
const sendAnyway: Step = {
  state: { name: 'done', after: 'hold', late: false },
  effects: [{ type: 'track', stage: { name: 'snapshot' } }],
}

/**
 * [Note: A bad capture is repeated before it is sent] The person sees what was wrong with the last pictures and they are retaken
 * a few times. After that they are sent regardless, so that every visit comes to an end.
 */
function closed({ frames, fault }: EventOf<'staged'>, context: Context): Step {
  if (fault === null || context.retakes >= thresholds.retakes) return send(frames, lastStepOf(context))
  return { state: { name: 'retake', fault }, effects: [{ type: 'track', stage: { name: 'idle' } }] }
}

/** Offers help after a while. The person can ignore it. */
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
    case 'step': // after a reload or an absence, the step's time starts over
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

/** People need this long to read the instruction, move and come back. */
const leastTimeToAct = 6000
/** The most travel time that a step's time limit can accommodate. */
const mostTravel = 3000

/**
 * [Note: The network's time is not the person's] If the answer to a step was late, or its pictures will take long to send, the
 * step gets more time before it is shown. If even that is not enough, the page explains that the network is the problem.
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
