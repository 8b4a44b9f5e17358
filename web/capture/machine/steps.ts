import type { NextStep } from '#shared/contract/sessions/session.ts'
import type { CameraChoice } from '#web/capture/analysis/camera/camera.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { roomForClosing, roomForStep } from '#web/capture/analysis/selection.ts'
import type { Context, DeclinedKind, Effect, EventOf, Outcome, StateOf, Step } from './state.ts'

/** Minimum time between sending and the verdict, so that no screen flashes by. */
const settleMilliseconds = 1200
/** The step's frames must arrive before the server's time limit. */
const travelMilliseconds = 1000
/** How long the outcome is shown before the page leaves by itself. */
const outcomeMilliseconds = 4000
/** After this time the page gives advice, such as where the browser's prompt is or that the network is slow. */
const askingMilliseconds = 15_000
export const helpMilliseconds = 20_000
const slowAnswerMilliseconds = 4000
const slowSendingMilliseconds = 10_000
const offlineRetryMilliseconds = 5000

/** Asks for the camera. */
export function openCamera(choice: CameraChoice = 'same'): Step {
  return {
    state: { name: 'asking', late: false },
    effects: [{ type: 'openCamera', choice }, late(askingMilliseconds)],
  }
}

/** Asks for the camera again, and loads again what could not be loaded. */
export function tryAgain({ plan, analysis }: Context, choice: CameraChoice = 'same'): Step {
  const again = openCamera(choice)
  if (plan === null || analysis === 'ready') return again
  return {
    ...again,
    context: { analysis: 'loading' },
    effects: [{ type: 'prepare', plan }, ...(again.effects ?? [])],
  }
}

/** Asks for another camera. */
export function otherCamera({ id }: EventOf<'otherCamera'>, context: Context): Step {
  return tryAgain(context, id === undefined ? 'next' : { id })
}

const slowOpeningMilliseconds = 8000

/** Opens the link or finds the session, and shows a message if that takes long. */
export function openAgain() {
  return {
    state: { name: 'opening', slow: false },
    effects: [{ type: 'open' }, late(slowOpeningMilliseconds)],
  } as const satisfies Step
}

/** A timer of the current state. */
export function late(milliseconds: number) {
  return { type: 'wait', milliseconds, event: { type: 'late' } } as const
}

/** The first stage: the face in the oval. */
export function align(): Step {
  return {
    state: { name: 'align', helpOffered: false },
    effects: [{ type: 'track', stage: { name: 'align' } }, late(helpMilliseconds)],
  }
}

/** Of a step's time, in milliseconds, what the network takes: before it is shown, and for its pictures. */
export interface Travel {
  readonly late: number
  readonly handIn: number
}

/** The time that is left to a person for a step, in milliseconds. */
export function timeToAct({ timeLimitInSeconds }: NextStep, { late: gone, handIn }: Travel): number {
  const travel = Math.max(travelMilliseconds, handIn - travelMilliseconds)
  return timeLimitInSeconds * 1000 - gone - travel
}

/** Asks the action that the server has revealed. */
export function act(
  step: NextStep,
  again: boolean,
  startedAt: number,
  context: Context,
  travel: Travel = { late: 0, handIn: 0 },
): Step {
  const limit = timeToAct(step, travel)
  return {
    state: { name: 'action', step, again, startedAt },
    effects: [
      { type: 'track', stage: { name: 'action', step, room: roomForStep(context.framesSent) } },
      { type: 'wait', milliseconds: limit, event: { type: 'timeUp' } },
    ],
  }
}

/** The last hold. */
export function close(context: Context): Step {
  return {
    state: { name: 'closing' },
    effects: [{ type: 'track', stage: { name: 'closing', room: roomForClosing(context.framesSent) } }],
  }
}

/** While the server processes a submission. */
export function done(after: StateOf<'done'>['after'], effects: readonly Effect[]): Step {
  return { state: { name: 'done', after, late: false }, effects: [...effects, late(slowAnswerMilliseconds)] }
}

/** Offline: retries regularly, whatever the browser reports about the network. */
export const tryLater = late(offlineRetryMilliseconds)

/** The same, but not before the time that the server asked for. */
export function tryLaterThan(milliseconds = 0): Effect {
  return late(Math.max(offlineRetryMilliseconds, milliseconds))
}

/** Asks the server for more time or another action. */
export function request(step: NextStep, wish: 'moreTime' | 'otherAction'): Step {
  return done('request', [
    { type: 'track', stage: { name: 'idle' } },
    { type: 'submitStep', step: step.step, frames: [], request: wish },
  ])
}

/** Turns the camera off and submits the session with these frames. */
export function send(frames: readonly Picture[], challengeStep: number): Step {
  return {
    ...sending(),
    effects: [
      { type: 'track', stage: { name: 'idle' } },
      { type: 'closeCamera' },
      { type: 'submitSession', closing: { kind: 'frames', frames, challengeStep } },
      ...(sending().effects ?? []),
    ],
  }
}

/** The sending screen, without sending. */
export function sending(): Step {
  return {
    state: { name: 'sending', phase: 'sending', share: 0, late: false, outcome: null, settled: false },
    effects: [
      { type: 'wait', milliseconds: settleMilliseconds, event: { type: 'settled' } },
      late(slowSendingMilliseconds),
    ],
  }
}

/** Shows the verdict and leaves after a while, or at once if the person has chosen to leave. */
export function show({ passed, redirectUrl, isLeft = false }: Outcome): Step {
  return {
    state: { name: passed ? 'passed' : 'notCompleted', redirectUrl, staying: false },
    context: { nearDeadline: false },
    effects: [isLeft && redirectUrl !== null ? { type: 'leave', redirectUrl } : late(outcomeMilliseconds)],
  }
}

/** Tells the server that there will be no (more) pictures. */
export function tell(kind: DeclinedKind, sent: boolean, leaving: boolean): Step {
  return {
    state: { name: 'declined', kind, sent, submission: 'pending', leaving, redirectUrl: null },
    effects: [
      { type: 'closeCamera' },
      { type: 'submitSession', closing: { kind: kind === 'stopped' ? 'declined' : kind } },
    ],
  }
}

/** Changes of the context after an answer to a step. */
export function answered(event: EventOf<'stepAnswered'>, context: Context): Partial<Context> {
  const { progress } = context
  // Another size of the same action, which is therefore not done yet.
  const goesOn = progress.kind === 'step' && isNextSize(progress.step, event.next)
  const performed = progress.kind === 'step' && event.accepted && !event.request && !goesOn
  const lastStep = progress.kind === 'step' ? progress.step.step : 0
  return {
    accepted: context.accepted + (performed ? 1 : 0),
    framesSent: context.framesSent - event.dropped,
    progress: event.next === null ? { kind: 'closing', lastStep } : { kind: 'step', step: event.next },
  }
}

/** True if the next step is another size of the same action. */
function isNextSize(step: NextStep, next: NextStep | null): boolean {
  const isSized = step.size !== undefined && next?.size !== undefined
  return isSized && next.step === step.step + 1 && next.action === step.action
}

/** Number of the last requested step; 0 before the first. */
export function lastStepOf({ progress }: Pick<Context, 'progress'>): number {
  if (progress.kind === 'fresh') return 0
  return progress.kind === 'step' ? progress.step.step : progress.lastStep
}
