import type { NextStep } from '#shared/contract/sessions/session.ts'
import type { CameraChoice } from '#web/capture/analysis/camera/camera.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import { roomForClosing, roomForStep } from '#web/capture/analysis/selection.ts'
import type { Context, DeclinedKind, Effect, EventOf, Outcome, StateOf, Step } from './state.ts'

/** The step's frames must arrive this long before the server's clock runs out. */
const travelMilliseconds = 1000
/** How long an outcome is shown before the page leaves by itself. A refusal has two sentences to read. */
const outcomeMilliseconds = { passed: 4000, notCompleted: 20_000 } as const
/** After this time the page gives advice, such as where to find the browser's prompt or that the network is slow. */
const askingMilliseconds = 15_000
export const helpMilliseconds = 20_000
const lookAskedMilliseconds = 1500
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

/** Requests the camera again, and reloads anything that failed to load. */
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

/** Opens the link or finds the session, and shows a message if this takes long. */
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

/** The first stage: the face must fit the oval. */
export function align(): Step {
  return {
    state: { name: 'align', helpOffered: false },
    effects: [{ type: 'track', stage: { name: 'align' } }, late(helpMilliseconds)],
  }
}

/** How much of a step's time the network takes, before the step is shown and for its pictures, in milliseconds. */
export interface Travel {
  readonly late: number
  readonly handIn: number
}

/** How much time a person has left for a step, in milliseconds. */
export function timeToAct({ timeLimitInSeconds }: NextStep, { late: gone, handIn }: Travel): number {
  const travel = Math.max(travelMilliseconds, handIn - travelMilliseconds)
  return timeLimitInSeconds * 1000 - gone - travel
}

/** Requests the action that the server has revealed. */
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

/** [Note: No screen of its own] The final look. A person already looking straight ahead would be done before reading an instruction. */
export function close(context: Context): Step {
  const room = roomForClosing(context.framesSent)
  return {
    state: { name: 'closing', asked: false },
    effects: [{ type: 'track', stage: { name: 'closing', room } }, late(lookAskedMilliseconds)],
  }
}

/** Shown while the server processes a submission. */
export function done(after: StateOf<'done'>['after'], effects: readonly Effect[]): DoneStep {
  return { state: { name: 'done', after, late: false }, effects: [...effects, late(slowAnswerMilliseconds)] }
}

interface DoneStep extends Step {
  readonly state: StateOf<'done'>
}

/** Retries whatever is waiting for the network, whether or not the browser believes it is online. */
export const tryLater = late(offlineRetryMilliseconds)

/** Does the same, but no sooner than the server asked for. */
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

/** Shows the sending screen without sending anything. */
export function sending(): Step {
  return {
    state: { name: 'sending', phase: 'sending', share: 0, late: false },
    effects: [late(slowSendingMilliseconds)],
  }
}

/** Shows the verdict, then leaves after a while, or immediately if the person has chosen to leave. */
export function show({ passed, redirectUrl, isLeft = false }: Outcome): Step {
  const name = passed ? 'passed' : 'notCompleted'
  return {
    state: { name, redirectUrl, staying: false },
    context: { nearDeadline: false },
    effects: [
      isLeft && redirectUrl !== null ? { type: 'leave', redirectUrl } : late(outcomeMilliseconds[name]),
    ],
  }
}

/** Tells the server that it will receive no (more) pictures. */
export function tell(kind: DeclinedKind, sent: boolean, leaving: boolean): Step {
  return {
    state: { name: 'declined', kind, sent, submission: 'pending', leaving, redirectUrl: null },
    effects: [
      { type: 'closeCamera' },
      { type: 'submitSession', closing: { kind: kind === 'stopped' ? 'declined' : kind } },
    ],
  }
}

/** The context changes that follow from an answer to a step. */
export function answered(event: EventOf<'stepAnswered'>, context: Context): Partial<Context> {
  const { progress } = context
  // The next step is another size of the same action, so the action is not done yet.
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

/** The number of the last requested step; 0 before the first one. */
export function lastStepOf({ progress }: Pick<Context, 'progress'>): number {
  if (progress.kind === 'fresh') return 0
  return progress.kind === 'step' ? progress.step.step : progress.lastStep
}
