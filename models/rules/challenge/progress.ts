import type { KioskPlan } from '#shared/contract/kiosk/kiosk-capture.ts'
import type { Action, NextStep } from '#shared/contract/sessions/session.ts'
import { isComingCloser } from './another-way.ts'
import { turnsTheHead } from './movement.ts'
import {
  actionsPerformed,
  actionsToPerform,
  isFollowed,
  type StepJudgement,
  type StepRecord,
} from './step.ts'

/** The step that is waiting for its frames. */
export interface OpenStep {
  readonly step: number
  readonly action: Action | null
  /** Relative to the size at rest. Absent if no size is requested. */
  readonly size?: number
  /** Sizes that have not been revealed yet. */
  readonly sizesLeft?: readonly number[]
  /** In milliseconds, on the clock used to judge the steps. */
  readonly revealedAt: number
  /** When this action replaced another one. Absent if it did not. Frames that arrived earlier show the other action. */
  readonly exchangedAt?: number
  readonly timeLimitInSeconds: number
}

export interface StepAnswer {
  readonly next: NextStep | null
  readonly accepted: boolean
}

export interface AnsweredStep extends StepRecord {
  readonly answer: StepAnswer
}

export interface ChallengeProgress {
  readonly answered: readonly AnsweredStep[]
  readonly open: OpenStep | null
  /** All revealed actions, in order. */
  readonly drawn: readonly Action[]
  readonly repeatUsed: boolean
  readonly clockRestarts: number
  readonly otherActions: number
  readonly alternativeAction: Action | null
}

/** The number of actions per challenge. */
export const actionCounts = { Balanced: 1, Advanced: 3 } as const

/** The time limit for each action. The longer one applies after a request for more time or for another action. */
export const timeLimitInSeconds = 10
const extendedTimeLimitInSeconds = 20
/** Extra time for uploading a step. */
const graceInSeconds = 2
/** How often a person may ask for more time or another action per session, and how often the action is then replaced. */
const mostClockRestarts = 20
export const mostOtherActions = 2

/** Step 0 has no time limit except the session's. */
export function firstProgress(created: number, expiresAt: number): ChallengeProgress {
  return {
    answered: [],
    open: { step: 0, action: null, revealedAt: created, timeLimitInSeconds: (expiresAt - created) / 1000 },
    drawn: [],
    repeatUsed: false,
    clockRestarts: 0,
    otherActions: 0,
    alternativeAction: null,
  }
}

/** True if an answer arrives after the step's time limit plus the grace period for its upload. */
export function isLate(
  step: Pick<OpenStep, 'revealedAt' | 'timeLimitInSeconds'>,
  receivedAt: number,
): boolean {
  return receivedAt > step.revealedAt + (step.timeLimitInSeconds + graceInSeconds) * 1000
}

export function answerTo(progress: ChallengeProgress, step: number): StepAnswer | undefined {
  return progress.answered.find((answered) => answered.step === step)?.answer
}

/** An action and the sequence of its sizes. If there are no sizes, any growth counts. */
export interface DrawnAction {
  readonly action: Action
  readonly sizes: readonly number[]
}

export interface Drawing {
  /** The action that the person asked to replace. */
  readonly insteadOf?: Action | undefined
  /** True until a head turn has been accepted. While it is true, a turn is drawn if one is available. */
  readonly mustTurn?: boolean
}

/** Draws the next action, given those already drawn. Undefined if the plan has none left. */
export type Draw = (drawn: readonly Action[], drawing?: Drawing) => DrawnAction | undefined

/**
 * A plan's actions, which were drawn in advance, in order, except that a required turn comes first.
 * [Note: Captures may be older] Plans without `turnsAgain` were made before turns were requested again, so their order is left unchanged.
 */
export function drawInOrder(plan: Partial<Pick<KioskPlan, 'actions' | 'sizes' | 'turnsAgain'>>): Draw {
  const { actions, sizes = [], turnsAgain = false } = plan
  const next = (drawn: readonly Action[], { insteadOf, mustTurn = false }: Drawing) => {
    if (actions === undefined || actions[drawn.length] === undefined) return undefined
    const left = turnsAgain ? withoutDrawn(actions, drawn) : [actions[drawn.length]!]
    const turn =
      mustTurn && turnsAgain ? left.find((one) => turnsTheHead(one) && one !== insteadOf) : undefined
    if (turn !== undefined) return turn
    if (isComingCloser(actions, drawn, insteadOf)) return 'comeCloser'
    const still =
      insteadOf !== undefined && turnsTheHead(insteadOf) ? left.find((one) => !turnsTheHead(one)) : undefined
    return still ?? left[0]
  }
  return (drawn, drawing = {}) => {
    const action = next(drawn, drawing)
    return action && { action, sizes: action === 'comeCloser' ? sizes : [] }
  }
}

/** The plan's actions that have not been revealed yet. Repeated actions are counted separately. */
function withoutDrawn(actions: readonly Action[], drawn: readonly Action[]): Action[] {
  const gone = [...drawn]
  return actions.filter((action) => {
    const at = gone.indexOf(action)
    if (at >= 0) gone.splice(at, 1)
    return at < 0
  })
}

/**
 * Closes the open step with its judgement and opens the next one. Once per session, a failed step may be repeated with a different action. A second
 * failure ends the challenge.
 */
export function advance(
  progress: ChallengeProgress,
  judged: StepJudgement,
  plan: { actionCount: number; draw: Draw; now: number },
): ChallengeProgress {
  const open = progress.open!
  const done = actionsPerformed([...progress.answered, { ...open, ...judged }])
  const mayGoOn = judged.accepted || !progress.repeatUsed
  const asked = actionsToPerform(plan.actionCount, [...progress.answered, judged])
  const goesOn = judged.accepted && isFollowed(open)
  const mustTurn = needsTurn(progress, [...progress.answered, { ...open, ...judged }])
  const revealed = () =>
    goesOn ? nextSize(open, plan.now) : reveal(progress, open.step + 1, { ...plan, mustTurn })
  const next = mayGoOn && done < asked ? revealed() : null
  const answer = { next: next === null ? null : nextStepOf(next), accepted: judged.accepted }
  return {
    ...progress,
    answered: [...progress.answered, { ...open, ...judged, judgedAt: plan.now, answer }],
    open: next,
    drawn: next?.action == null || goesOn ? progress.drawn : [...progress.drawn, next.action],
    repeatUsed: progress.repeatUsed || !judged.accepted,
  }
}

/**
 * Restarts the open step's clock, and replaces its action if this is requested and allowed. Undefined if the person has used up these
 * requests, in which case the clock keeps running.
 */
export function restart(
  progress: ChallengeProgress,
  request: 'moreTime' | 'otherAction',
  plan: { allowAlternative: boolean; draw: Draw; now: number },
): ChallengeProgress | undefined {
  if (progress.clockRestarts >= mostClockRestarts) return undefined
  const mayReplace =
    request === 'otherAction' && plan.allowAlternative && progress.otherActions < mostOtherActions
  const open = progress.open!
  const insteadOf = open.action ?? undefined
  const mustTurn = progress.otherActions === 0 && needsTurn(progress, progress.answered)
  const other = mayReplace ? plan.draw(progress.drawn, { insteadOf, mustTurn }) : undefined
  const replaces = other !== undefined
  const action = other?.action ?? open.action!
  const begun = replaces ? { step: open.step, exchangedAt: plan.now, ...begin(other) } : open
  return {
    ...progress,
    open: { ...begun, action, revealedAt: plan.now, timeLimitInSeconds: extendedTimeLimitInSeconds },
    drawn: replaces ? [...progress.drawn, action] : progress.drawn,
    clockRestarts: progress.clockRestarts + 1,
    otherActions: progress.otherActions + Number(replaces),
    alternativeAction: replaces ? action : progress.alternativeAction,
  }
}

/** Begins the open step again, for example after a reload. The action gets its full time again, as often as anyone may ask for more time. */
export function beginAgain(progress: ChallengeProgress, now: number): ChallengeProgress {
  const { open, clockRestarts } = progress
  if (open === null || open.action === null || clockRestarts >= mostClockRestarts) return progress
  return { ...progress, open: { ...open, revealedAt: now }, clockRestarts: clockRestarts + 1 }
}

/**
 * True if a head turn is still required. [Note: The head turns] The requirement cannot be avoided by failing a turn or asking for another action
 * once. After two such requests, we assume that the person cannot turn their head, request a different action, and continue the visit without a
 * turn.
 */
function needsTurn(
  { otherActions }: Pick<ChallengeProgress, 'otherActions'>,
  steps: readonly Pick<StepRecord, 'action' | 'accepted'>[],
): boolean {
  const hasTurned = steps.some(({ action, accepted }) => accepted && action !== null && turnsTheHead(action))
  return !hasTurned && otherActions < mostOtherActions
}

/** The open step in the form that the page receives, with the remaining time. */
export function nextStepOf(open: OpenStep, now: number = open.revealedAt): NextStep {
  const { step, action, size } = open
  const left = open.timeLimitInSeconds - (now - open.revealedAt) / 1000
  const timeLimitInSeconds = Math.max(0, Math.floor(left))
  return { step, action: action!, ...(size !== undefined && { size }), timeLimitInSeconds }
}

/** Starts an action. If it has several sizes, starts with the first one. */
function begin({
  action,
  sizes: [size, ...left],
}: DrawnAction): Pick<OpenStep, 'action' | 'size' | 'sizesLeft'> {
  if (size === undefined) return { action }
  return left.length === 0 ? { action, size } : { action, size, sizesLeft: left }
}

/** [Note: Revealed late] The next size is only revealed once the previous one has been reached. Its time limit is the same. */
function nextSize({ step, action, sizesLeft = [], timeLimitInSeconds }: OpenStep, now: number): OpenStep {
  return {
    step: step + 1,
    ...begin({ action: action!, sizes: sizesLeft }),
    revealedAt: now,
    timeLimitInSeconds,
  }
}

function reveal(
  { drawn }: ChallengeProgress,
  step: number,
  { draw, now, mustTurn }: { draw: Draw; now: number; mustTurn: boolean },
): OpenStep | null {
  const asked = draw(drawn, { mustTurn })
  return asked === undefined ? null : { step, ...begin(asked), revealedAt: now, timeLimitInSeconds }
}
