import { actionsPerformed, actionsToPerform } from '#models/rules/liveness/session-liveness.ts'
import type { StepRecord } from '#models/rules/verdict.ts'
import type { Action, NextStep } from '#shared/contract/sessions/session.ts'

/** The step whose frames are awaited. */
export interface OpenStep {
  readonly step: number
  readonly action: Action | null
  /** Milliseconds since 1970, the server's clock. */
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

/** For each action. */
export const timeLimitInSeconds = 10
const extendedTimeLimitInSeconds = 20
/** What an upload may take beyond the step's own time. */
const graceInSeconds = 2
const mostClockRestarts = 20
const mostOtherActions = 2

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

/** Whether the answer came after the step's time, by the server's clock. */
export function isLate(open: OpenStep, receivedAt: number): boolean {
  return open.step > 0 && receivedAt > open.revealedAt + (open.timeLimitInSeconds + graceInSeconds) * 1000
}

export function answerTo(progress: ChallengeProgress, step: number): StepAnswer | undefined {
  return progress.answered.find((answered) => answered.step === step)?.answer
}

/** The action to reveal after those that were. */
export type Draw = (drawn: readonly Action[]) => Action

/** What was found of a step's frames, and when they came. */
export type Judged = Pick<StepRecord, 'accepted' | 'reason' | 'answeredAt'>

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
    drawn: next === null ? progress.drawn : [...progress.drawn, next.action!],
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
  const replaces =
    request === 'otherAction' && plan.allowAlternative && progress.otherActions < mostOtherActions
  const action = replaces ? plan.draw(progress.drawn) : progress.open!.action!
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

function reveal(progress: ChallengeProgress, step: number, plan: { draw: Draw; now: number }): OpenStep {
  return { step, action: plan.draw(progress.drawn), revealedAt: plan.now, timeLimitInSeconds }
}
