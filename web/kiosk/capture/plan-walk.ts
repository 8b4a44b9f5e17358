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
 * Progress of a challenge, by the same rules as on the server. Times are milliseconds since the camera
 * started.
 */
export interface PlanWalk {
  /** Null if the capture is passive. */
  readonly plan: KioskPlan | null
  readonly progress: ChallengeProgress
  /** Requests of the person in the closed steps, for the server. */
  readonly asked: readonly Asked[]
}

/** Total requests of the person up to the end of a step. */
type Asked = Pick<ChallengeProgress, 'clockRestarts' | 'otherActions'>

/** The initial state, with step 0 open. */
export function beginWalk(): PlanWalk {
  return { plan: null, progress: firstProgress(0, 0), asked: [] }
}

/** Closes the open step with the device's judgement and opens the next one, if there is one. */
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

/** Restarts the open step, with the next action of the plan if another one is requested and allowed. */
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

/** The open step as shown to the person; null if none is left. */
export function nextOf({ progress: { open } }: PlanWalk): NextStep | null {
  return open === null || open.action === null ? null : nextStepOf(open)
}

/** True if the person performed the plan, or there is no plan. */
export function isPerformed({ plan, progress: { answered } }: PlanWalk): boolean {
  return plan === null || actionsPerformed(answered) >= actionsToPerform(plan.actionCount, answered)
}

/** The steps in the format of the server. */
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
