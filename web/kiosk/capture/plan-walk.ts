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
 * Progress through a challenge, following the same rules as the server. Times are in milliseconds since the camera
 * started.
 */
export interface PlanWalk {
  /** Null if the capture is passive. */
  readonly plan: KioskPlan | null
  readonly progress: ChallengeProgress
  /** The person's requests in each of the closed steps, for the server. */
  readonly asked: readonly RequestCounts[]
}

/** How many requests the person had made in total by the end of a step. */
type RequestCounts = Pick<ChallengeProgress, 'clockRestarts' | 'otherActions'>

/** The initial state, in which step 0 is open. */
export function beginWalk(): PlanWalk {
  return { plan: null, progress: firstProgress(0, 0), asked: [] }
}

/** Closes the open step with this device's judgement, and opens the next one if there is one. */
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

/** Restarts the open step. If another action is requested and allowed, it uses the plan's next one. */
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

/** The open step as the person sees it; null if there is none left. */
export function nextOf({ progress: { open } }: PlanWalk): NextStep | null {
  return open === null || open.action === null ? null : nextStepOf(open)
}

/** True if the person performed the plan, or if there is no plan. */
export function isPerformed({ plan, progress: { answered } }: PlanWalk): boolean {
  return plan === null || actionsPerformed(answered) >= actionsToPerform(plan.actionCount, answered)
}

/** The steps in the server's format. */
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
