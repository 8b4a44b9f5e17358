import type { CameraCause } from '#web/capture/analysis/camera/camera-problem.ts'
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

/** The states in which the camera is on or being opened. */
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

/** The states that nothing but the person ends. */
const lastStates: ReadonlySet<StateName> = new Set<StateName>([
  'passed',
  'notCompleted',
  'passkeyOffered',
  'declined',
  'timeOver',
  'linkProblem',
  'moved',
])

/** What may happen in any state: leaving, the camera going, the page hidden, time running out, a late answer. */
export function roundAbout(event: Event, state: State, context: Context): Step | undefined {
  switch (event.type) {
    case 'leave':
      return leave(state, context)
    case 'endTest':
      return isOver(state) || context.plan?.test === undefined ? {} : endTest(event)
    case 'hidden':
      return state.name !== 'asking' && cameraStates.has(state.name) ? stop('away') : undefined
    case 'cameraLost':
      return cameraStates.has(state.name) ? cameraLost(context) : undefined
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

/** [Note: Help counts from the guidance] A person who waited for the network has not tried anything yet. */
function advanced({ to }: EventOf<'analysisAdvanced'>, { name }: State): Step {
  const begins = name === 'align' && to === 'guidance'
  return { context: { analysis: to }, ...(begins && { effects: [late(helpMilliseconds)] }) }
}

/** What was handed in in time may be answered after it. */
function isDecided(state: State): boolean {
  return state.name === 'sending' || (state.name === 'following' && state.handoff.phase === 'checking')
}

/** The server will not go on with this session as the page knows it. */
function lost(event: EventOf<'notOpened'>): Step {
  const step = nowhere(event)
  return {
    ...step,
    effects: [{ type: 'closeCamera' }, { type: 'dropSubmission' }, ...(step.effects ?? [])],
  }
}

/** [Note: The server's word counts] Another tab may have gone on with the session: the page asks where it stands, and goes on there. */
function outOfStep(): Step {
  const again = openAgain()
  return { ...again, effects: [{ type: 'closeCamera' }, { type: 'dropSubmission' }, ...again.effects] }
}

/** [Note: A code is renewed] as long as it is offered: what stands on a screen is worth something for minutes only. */
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

/** The link leads nowhere: the page says why, and where the session led, where it had one. */
export function nowhere({
  problem,
  redirectUrl,
  plan,
  asker,
  waitInMilliseconds,
}: EventOf<'notOpened'>): Step {
  return {
    state: { name: 'linkProblem', problem, redirectUrl: redirectUrl ?? null },
    context: { ...(plan && { plan }), ...(asker && { asker }) },
    ...(problem === 'unreachable' && { effects: [tryLaterThan(waitInMilliseconds)] }),
  }
}

/** The session's time is up: nothing of it is kept. */
function timeOver({ name }: State): Step {
  return {
    state: { name: 'timeOver', redirectUrl: null, offline: name === 'offline' },
    context: { nearDeadline: false },
    effects: [{ type: 'closeCamera' }, { type: 'dropSubmission' }, { type: 'findWayBack' }],
  }
}

/** What is said of an outcome once it is on its way changes nothing any more. */
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

/** [Note: One reopening] A camera that stops is reopened once by itself; the second time the person is asked. */
function cameraLost({ reopened }: Context): Step {
  return reopened ? stop('stopped') : { ...openCamera(false), context: { reopened: true } }
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
      return sent ? { ...tell('stopped', sent, false), context: {} } : notBegun()
    case 'numberCheck':
    case 'codeEntry':
      return {}
    case 'handoff':
      return withdrawn(notBegun())
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

/** The session comes back first: only whoever holds it may end it. */
function withdrawn(step: Step): Step {
  return { ...step, context: { code: null }, effects: [{ type: 'cancelHandoff' }, ...(step.effects ?? [])] }
}

/** Nothing was taken yet: the server is told when the person goes, so that reading again stays possible. */
export function notBegun(): Step {
  return {
    state: {
      name: 'declined',
      kind: 'declined',
      sent: false,
      submission: 'none',
      leaving: false,
      redirectUrl: null,
    },
    effects: [{ type: 'closeCamera' }],
  }
}
