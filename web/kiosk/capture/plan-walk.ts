import {
  advance,
  type ChallengeProgress,
  drawInOrder,
  firstProgress,
  nextStepOf,
  restart,
} from '#models/rules/challenge/progress.ts'
import { actionsPerformed, actionsToPerform, type Outcome } from '#models/rules/challenge/step.ts'
import type { CapturedStep, KioskPlan } from '#shared/contract/kiosk/kiosk-capture.ts'
import type { NextStep } from '#shared/contract/sessions/session.ts'

/**
 * A challenge on its way, by the rules that the server follows while it is there. Times are milliseconds since the camera
 * started.
 */
export interface PlanWalk {
  /** Null where the capture is passive. */
  readonly plan: KioskPlan | null
  readonly progress: ChallengeProgress
  /** What the server gets of the closed steps besides how they went. */
  readonly asked: readonly Asked[]
}

/** What the person had asked for, in the steps so far, by the end of one. */
type Asked = Pick<ChallengeProgress, 'clockRestarts' | 'otherActions'>

/** The walk before anything is asked: step 0 is open. */
export function beginWalk(): PlanWalk {
  return { plan: null, progress: firstProgress(0, 0), asked: [] }
}

/** Closes the open step with what the device made of it, and opens the next one where there is one. */
export function closeStep(walk: PlanWalk, reason: Outcome | null, at: number): PlanWalk {
  const { plan, progress } = walk
  if (progress.open === null) return walk
  const accepted = reason === null || reason === 'performed'
  const challenge = { actionCount: plan?.actionCount ?? 0, draw: drawInOrder(plan ?? {}), now: at }
  return {
    ...walk,
    progress: advance(progress, { accepted, reason, answeredAt: at }, challenge),
    asked: [...walk.asked, progress],
  }
}

/** Starts the open step anew, with the next action of the plan where another one is asked for and allowed. */
export function restartStep(
  walk: PlanWalk,
  request: 'moreTime' | 'otherAction',
  at: number,
  allowAlternative: boolean,
): PlanWalk {
  const { plan, progress } = walk
  if (progress.open === null || plan === null) return walk
  const restarted = restart(progress, request, { allowAlternative, draw: drawInOrder(plan), now: at })
  return restarted === undefined ? walk : { ...walk, progress: restarted }
}

/** The open step as the person is asked it; null where none is left. */
export function nextOf({ progress: { open } }: PlanWalk): NextStep | null {
  return open === null || open.action === null ? null : nextStepOf(open)
}

/** Whether the person did as the plan asks; true without a plan. */
export function isPerformed({ plan, progress: { answered } }: PlanWalk): boolean {
  return plan === null || actionsPerformed(answered) >= actionsToPerform(plan.actionCount, answered)
}

/** The steps as the server gets them. */
export function stepsOf({ progress, asked }: PlanWalk): CapturedStep[] {
  return progress.answered.map(({ step, action, accepted, revealedAt, answeredAt }, i) => {
    const clockRestarts = asked[i]!.clockRestarts - (asked[i - 1]?.clockRestarts ?? 0)
    const otherActions = asked[i]!.otherActions - (asked[i - 1]?.otherActions ?? 0)
    return {
      step,
      action,
      accepted,
      startedAt: revealedAt,
      endedAt: answeredAt,
      ...(clockRestarts > 0 ? { clockRestarts } : {}),
      ...(otherActions > 0 ? { otherActions } : {}),
    }
  })
}
