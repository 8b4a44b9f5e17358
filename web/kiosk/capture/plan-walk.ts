import type { CapturedStep, KioskPlan } from '#shared/contract/kiosk/kiosk-capture.ts'
import type { Action, NextStep } from '#shared/contract/sessions/session.ts'

/** How the device judged the frames of a step. */
export type StepOutcome = 'performed' | 'notPerformed' | 'otherAction'

/** A challenge on its way: what was asked so far, and what came of it. Times are milliseconds since the camera started. */
export interface PlanWalk {
  /** Null where the capture is passive. */
  readonly plan: KioskPlan | null
  /** How many actions of the plan were revealed. */
  readonly revealed: number
  readonly closed: readonly (CapturedStep & { readonly outcome: StepOutcome | null })[]
  readonly open: OpenStep | null
  readonly hasRepeated: boolean
}

interface OpenStep {
  readonly step: number
  readonly action: Action | null
  readonly startedAt: number
  readonly clockRestarts: number
  readonly otherActions: number
}

const mostClockRestarts = 20
const mostOtherActions = 2
/** Whoever asks for more time has this much longer. */
const patience = 2

/** The walk before anything is asked: step 0 is open. */
export function beginWalk(): PlanWalk {
  const open = { step: 0, action: null, startedAt: 0, clockRestarts: 0, otherActions: 0 }
  return { plan: null, revealed: 0, closed: [], open, hasRepeated: false }
}

/**
 * Closes the open step and opens the next one, as a server does while it is there: a failed step may be repeated once,
 * with the next action of the plan; one that showed another action costs a further action.
 */
export function closeStep(walk: PlanWalk, outcome: StepOutcome | null, at: number): PlanWalk {
  const { open } = walk
  if (open === null) return walk
  const { clockRestarts, otherActions, ...step } = open
  const accepted = outcome === null || outcome === 'performed'
  const asked = {
    ...(clockRestarts > 0 ? { clockRestarts } : {}),
    ...(otherActions > 0 ? { otherActions } : {}),
  }
  const closed = [...walk.closed, { ...step, accepted, endedAt: at, ...asked, outcome }]
  const mayGoOn = accepted || !walk.hasRepeated
  const now = { ...walk, closed, open: null, hasRepeated: walk.hasRepeated || !accepted }
  return mayGoOn && !isPerformed(now) ? reveal(now, at) : now
}

/** Starts the open step anew, with the next action of the plan where another one is asked for and allowed. */
export function restartStep(
  walk: PlanWalk,
  wish: 'moreTime' | 'otherAction',
  at: number,
  allowOther: boolean,
): PlanWalk {
  const { open, plan, revealed } = walk
  if (open === null || plan === null || open.clockRestarts >= mostClockRestarts) return walk
  const asked = walk.closed.reduce((sum, step) => sum + (step.otherActions ?? 0), open.otherActions)
  const other = plan.actions[revealed]
  const replaces = wish === 'otherAction' && allowOther && asked < mostOtherActions && other !== undefined
  const restarted = { ...open, startedAt: at, clockRestarts: open.clockRestarts + 1 }
  if (!replaces) return { ...walk, open: restarted }
  return {
    ...walk,
    revealed: revealed + 1,
    open: { ...restarted, action: other, otherActions: open.otherActions + 1 },
  }
}

/** The open step as the person is asked it; null where none is left. */
export function nextOf({ open, plan }: PlanWalk): NextStep | null {
  if (open === null || open.action === null || plan === null) return null
  const limit = plan.timeLimitInSeconds * (open.clockRestarts > 0 ? patience : 1)
  return { step: open.step, action: open.action, timeLimitInSeconds: limit }
}

/** Whether every action was performed that had to be; without a plan none had to. */
export function isPerformed({ plan, closed }: PlanWalk): boolean {
  if (plan === null) return true
  const performed = closed.filter(({ outcome }) => outcome === 'performed').length
  const dearer = closed.filter(({ outcome }) => outcome === 'otherAction').length
  return performed >= plan.actionCount + dearer
}

/** The steps as the server is told them. */
export function stepsOf({ closed }: PlanWalk): CapturedStep[] {
  return closed.map(({ outcome: _, ...step }) => step)
}

function reveal(walk: PlanWalk, at: number): PlanWalk {
  const action = walk.plan?.actions[walk.revealed]
  if (action === undefined) return walk
  const step = (walk.closed.at(-1)?.step ?? 0) + 1
  const open = { step, action, startedAt: at, clockRestarts: 0, otherActions: 0 }
  return { ...walk, revealed: walk.revealed + 1, open }
}
