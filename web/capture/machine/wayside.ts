import type { CameraCause } from '#web/wording/findings.ts'
import { leaveJudged } from './further-try.ts'
import { follow } from './handoff.ts'
import type { Context, Event, EventOf, State, StateName, Step } from './state.ts'
import {
  answered,
  helpMilliseconds,
  late,
  openAgain,
  openCamera,
  sending,
  tell,
  tryLaterThan,
} from './steps.ts'

/** States in which the camera is on or being opened. */
const cameraStates: ReadonlySet<StateName> = new Set<StateName>([
  'asking',
  'starting',
  'align',
  'hold',
  'help',
  'done',
  'action',
  'closing',
  'retake',
  'paused',
])

/** States that only the person can end. */
const lastStates: ReadonlySet<StateName> = new Set<StateName>([
  'passed',
  'notCompleted',
  'passkeyOffered',
  'declined',
  'timeOver',
  'linkProblem',
  'moved',
])

/** States in which no picture has been taken yet. */
const beforePictures: ReadonlySet<StateName> = new Set<StateName>([
  'opening',
  'consent',
  'ready',
  'asking',
  'starting',
])

/** Handles events that can happen in any state: leaving, a lost camera, a hidden page, the deadline, a late answer. */
export function roundAbout(event: Event, state: State, context: Context): Step | undefined {
  switch (event.type) {
    case 'leave':
      return leave(state, context)
    case 'unsuited':
      return beforePictures.has(state.name) ? stop(event.cause) : undefined
    case 'endTest':
      return isOver(state) || context.plan?.test === undefined ? {} : endTest(event)
    case 'hidden':
      return state.name !== 'asking' && cameraStates.has(state.name) ? stop('away') : undefined
    case 'cameraLost':
      return cameraStates.has(state.name) ? cameraLost(context) : undefined
    case 'cameraUseless':
      return cameraStates.has(state.name) ? stop(event.cause) : undefined
    case 'analysisBroken':
      return { ...(cameraStates.has(state.name) && stop(event.cause)), context: { analysis: event.cause } }
    case 'analysisAdvanced':
      return state.name === 'starting' ? undefined : advanced(event, state)
    case 'analysisReady':
      return state.name === 'starting' ? undefined : { context: { analysis: 'ready' } }
    case 'stepAnswered':
      return (state.name === 'done' && state.returning === undefined) || state.name === 'offline'
        ? undefined
        : { context: answered(event, context) }
    case 'handedIn':
      return { context: { framesSent: context.framesSent + 1 } }
    case 'deadlineNear':
      return lastStates.has(state.name) ? {} : { context: { nearDeadline: true } }
    case 'bannerRead':
      return { context: { nearDeadline: false } }
    case 'deadlineOver':
      return lastStates.has(state.name) || isDecided(state) ? {} : timeOver(state)
    case 'expired':
      return lastStates.has(state.name) ? undefined : timeOver(state)
    case 'codeMade':
      return codeMade(event, state)
    case 'elsewhere':
      return event.handoff === null ? moved() : follow(event.handoff)
    case 'outOfStep':
      return outOfStep()
    case 'notOpened':
      return state.name === 'opening' ? undefined : lost(event)
    default:
      return undefined
  }
}

/** [Note: Help counts from the guidance] A person who was only waiting for the network has not attempted anything yet. */
function advanced({ to }: EventOf<'analysisAdvanced'>, { name }: State): Step {
  const begins = name === 'align' && to === 'guidance'
  return { context: { analysis: to }, ...(begins && { effects: [late(helpMilliseconds)] }) }
}

/** True if a submission is already on its way, because the answer to it may arrive after the deadline. */
function isDecided(state: State): boolean {
  return state.name === 'sending' || (state.name === 'following' && state.handoff.phase === 'checking')
}

/** The server does not continue the session from the state that the page knows. */
function lost(event: EventOf<'notOpened'>): Step {
  const step = nowhere(event)
  return {
    ...step,
    effects: [{ type: 'closeCamera' }, { type: 'dropSubmission' }, ...(step.effects ?? [])],
  }
}

/** [Note: The server's word counts] Another tab may have continued the session, so the page reloads its state and goes on from there. */
function outOfStep(): Step {
  const again = openAgain()
  return { ...again, effects: [{ type: 'closeCamera' }, { type: 'dropSubmission' }, ...again.effects] }
}

/** [Note: A code is renewed] A code is only valid for minutes, so it is replaced for as long as it is offered. */
function codeMade({ code, lifetime }: EventOf<'codeMade'>, { name }: State): Step | undefined {
  if (name !== 'handoff' && name !== 'cameraProblem') return undefined
  return { context: { code }, effects: [late(lifetime)] }
}

function moved(): Step {
  return {
    state: { name: 'moved', refused: false },
    context: { nearDeadline: false },
    effects: [{ type: 'closeCamera' }, { type: 'dropSubmission' }],
  }
}

/** The link cannot be opened. Shows the reason, and the session's destination if that is known. */
export function nowhere({
  problem,
  redirectUrl,
  plan,
  asker,
  waitInMilliseconds,
  nextTryAt,
}: EventOf<'notOpened'>): Step {
  const next = nextTryAt === undefined ? {} : { nextTryAt }
  return {
    state: { name: 'linkProblem', problem, redirectUrl: redirectUrl ?? null, ...next },
    context: { ...(plan && { plan }), ...(asker && { asker }) },
    ...(problem === 'unreachable' && { effects: [tryLaterThan(waitInMilliseconds)] }),
  }
}

/** The session has expired and its data has been deleted. */
function timeOver({ name }: State): Step {
  return {
    state: { name: 'timeOver', redirectUrl: null, offline: name === 'offline' },
    context: { nearDeadline: false },
    effects: [{ type: 'closeCamera' }, { type: 'dropSubmission' }, { type: 'findWayBack' }],
  }
}

/** True if an outcome is being shown, which is final. */
function isOver({ name }: State): boolean {
  return lastStates.has(name) || name === 'sending' || name === 'opening'
}

function endTest({ result }: EventOf<'endTest'>): Step {
  const sent = sending()
  const submitted = { type: 'submitSession', closing: { kind: 'test', result } } as const
  return {
    ...sent,
    effects: [{ type: 'closeCamera' }, { type: 'dropSubmission' }, submitted, ...(sent.effects ?? [])],
  }
}

function stop(cause: CameraCause): Step {
  return { state: { name: 'cameraProblem', cause }, effects: [{ type: 'closeCamera' }] }
}

/** [Note: One reopening] A camera that stops is reopened automatically once. The second time, the person is asked. */
function cameraLost({ reopened }: Context): Step {
  return reopened ? stop('stopped') : { ...openCamera(), context: { reopened: true } }
}

function leave(state: State, context: Context): Step | undefined {
  if (context.plan === null || lastStates.has(state.name) || state.name === 'sending') return {}
  if (context.attempt > 1) return leaveJudged()
  const sent = context.framesSent > 0
  const off = { type: 'closeCamera' } as const
  switch (state.name) {
    case 'consent':
    case 'anotherWay':
    case 'passkeyAsked':
    case 'ready':
    case 'asking':
    case 'starting':
      return sent ? { ...tell('stopped', sent, false), context: {} } : notBegun(context)
    case 'numberCheck':
    case 'codeEntry':
      return {}
    case 'handoff':
      return withdrawn(notBegun(context))
    case 'following':
      return withdrawn(tell('stopped', state.handoff.phase !== 'taken', false))
    case 'cameraProblem':
      return tell('noCamera', sent, false)
    default: {
      const step = tell('stopped', sent, false)
      return { ...step, effects: [off, { type: 'dropSubmission' }, ...(step.effects ?? [])] }
    }
  }
}

/** Takes the session back first, because only the device that holds it may end it. */
function withdrawn(step: Step): Step {
  return { ...step, context: { code: null }, effects: [{ type: 'cancelHandoff' }, ...(step.effects ?? [])] }
}

/** No picture has been taken, so the server only hears that the person left, and the link can still be read again. */
export function notBegun({ isBegun }: Pick<Context, 'isBegun'>): Step {
  return {
    state: {
      name: 'declined',
      kind: 'declined',
      sent: false,
      submission: 'none',
      leaving: false,
      redirectUrl: null,
    },
    effects: [{ type: 'closeCamera' }, ...(isBegun ? [] : [{ type: 'begin' } as const])],
  }
}
