import type { Action, NextStep } from '#shared/contract/sessions/session.ts'
import { actionsPerformed, actionsToPerform, type Judged, type StepRecord } from './step.ts'

/** The step whose frames are awaited. */
export interface OpenStep {
  readonly step: number
  readonly action: Action | null
  /** Milliseconds of the clock that the steps are judged by. */
  readonly revealedAt: number
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
  /** Every action that was revealed, in order. */
  readonly drawn: readonly Action[]
  readonly repeatUsed: boolean
  readonly clockRestarts: number
  readonly otherActions: number
  readonly alternativeAction: Action | null
}

/** How many actions each challenge asks for. */
export const actionCounts = { Balanced: 1, Advanced: 3 } as const

/** For each action; the longer one for whoever asked for more time or for another action. */
export const timeLimitInSeconds = 10
export const extendedTimeLimitInSeconds = 20
/** What an upload may take beyond the step's own time. */
export const graceInSeconds = 2
/** How often a person may ask for more time or another action in one session, and how often an action is then replaced. */
export const mostClockRestarts = 20
export const mostOtherActions = 2

/** Step 0 has no clock of its own: the session's does. */
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

/** Whether an answer comes after the step's time and what is granted for its upload. */
export function isLate(
  step: Pick<OpenStep, 'revealedAt' | 'timeLimitInSeconds'>,
  receivedAt: number,
): boolean {
  return receivedAt > step.revealedAt + (step.timeLimitInSeconds + graceInSeconds) * 1000
}

export function answerTo(progress: ChallengeProgress, step: number): StepAnswer | undefined {
  return progress.answered.find((answered) => answered.step === step)?.answer
}

/** The action to reveal after those that were; undefined where a plan has none left. */
export type Draw = (drawn: readonly Action[]) => Action | undefined

/** The actions of a plan that was drawn beforehand, in their order. */
export function drawInOrder(actions: readonly Action[]): Draw {
  return (drawn) => actions[drawn.length]
}

/**
 * Closes the open step with its judgement and opens the next one. One failed step may be repeated, once a session and
 * with another action; after a second failure nothing is left to do.
 */
export function advance(
  progress: ChallengeProgress,
  judged: Judged,
  plan: { actionCount: number; draw: Draw; now: number },
): ChallengeProgress {
  const open = progress.open!
  const done = actionsPerformed(progress.answered) + Number(open.action !== null && judged.accepted)
  const mayGoOn = judged.accepted || !progress.repeatUsed
  const asked = actionsToPerform(plan.actionCount, [...progress.answered, judged])
  const next = mayGoOn && done < asked ? reveal(progress, open.step + 1, plan) : null
  const answer = { next: next === null ? null : nextStepOf(next), accepted: judged.accepted }
  return {
    ...progress,
    answered: [...progress.answered, { ...open, ...judged, answer }],
    open: next,
    drawn: next?.action == null ? progress.drawn : [...progress.drawn, next.action],
    repeatUsed: progress.repeatUsed || !judged.accepted,
  }
}

/**
 * Starts the open step's clock anew, with another action where one is asked for and allowed.
 * Undefined where the person has used up what they may ask for: then the clock runs on.
 */
export function restart(
  progress: ChallengeProgress,
  request: 'moreTime' | 'otherAction',
  plan: { allowAlternative: boolean; draw: Draw; now: number },
): ChallengeProgress | undefined {
  if (progress.clockRestarts >= mostClockRestarts) return undefined
  const mayReplace =
    request === 'otherAction' && plan.allowAlternative && progress.otherActions < mostOtherActions
  const other = mayReplace ? plan.draw(progress.drawn) : undefined
  const replaces = other !== undefined
  const action = other ?? progress.open!.action!
  return {
    ...progress,
    open: { ...progress.open!, action, revealedAt: plan.now, timeLimitInSeconds: extendedTimeLimitInSeconds },
    drawn: replaces ? [...progress.drawn, action] : progress.drawn,
    clockRestarts: progress.clockRestarts + 1,
    otherActions: progress.otherActions + Number(replaces),
    alternativeAction: replaces ? action : progress.alternativeAction,
  }
}

/** The open step as the page is told it, with the time that is left. */
export function nextStepOf(open: OpenStep, now: number = open.revealedAt) {
  const left = open.timeLimitInSeconds - (now - open.revealedAt) / 1000
  return { step: open.step, action: open.action!, timeLimitInSeconds: Math.max(0, Math.floor(left)) }
}

function reveal(
  { drawn }: ChallengeProgress,
  step: number,
  { draw, now }: { draw: Draw; now: number },
): OpenStep | null {
  const action = draw(drawn)
  return action === undefined ? null : { step, action, revealedAt: now, timeLimitInSeconds }
}
