import type { Action } from '#shared/contract/sessions/session.ts'

/** The result of comparing a step's frames with the requested action. */
export type Outcome = 'performed' | 'notPerformed' | 'otherAction'

/** Why a step was accepted or rejected. */
export type StepReason = Outcome | 'late' | 'tooEarly' | 'personChanged' | 'noFace'

/** A judged step of the challenge. All times are in milliseconds on the same clock, either the server's or a kiosk's. */
export interface StepRecord {
  readonly step: number
  /** Null for step 0. */
  readonly action: Action | null
  /** The size requested by `comeCloser`, relative to the size at rest. Absent for other steps, and if any growth counts. */
  readonly size?: number
  /** The sizes that are revealed after this one. Absent for the last one. */
  readonly sizesLeft?: readonly number[]
  readonly revealedAt: number
  /** When this action replaced another one. Absent if it did not. Pictures that arrived earlier show the other action. */
  readonly exchangedAt?: number
  readonly answeredAt: number
  /** When the step was accepted or rejected, on the same clock. Absent in kiosk captures and in steps recorded by 0.2.0. */
  readonly judgedAt?: number
  readonly timeLimitInSeconds: number
  readonly accepted: boolean
  /** Null for step 0. */
  readonly reason: StepReason | null
}

export interface Judgement {
  readonly accepted: boolean
  readonly reason: StepReason
}

/** The judgement of a step's frames, and the time of their arrival. */
export type StepJudgement = Pick<StepRecord, 'accepted' | 'reason' | 'answeredAt'>

/** The number of performed actions. If an action has several sizes, only the last one counts. */
export function actionsPerformed(
  steps: readonly Pick<StepRecord, 'action' | 'accepted' | 'sizesLeft'>[],
): number {
  return steps.filter((step) => step.action !== null && step.accepted && !isFollowed(step)).length
}

/** True if another size is revealed after this step's size. */
export function isFollowed({ sizesLeft = [] }: Pick<StepRecord, 'sizesLeft'>): boolean {
  return sizesLeft.length > 0
}

/**
 * [Note: A wrong action costs another one] A person who mixes up left and right may try again. A recording with a fixed sequence of actions does not
 * get a second draw for free, because two correct actions are then required instead of one.
 */
export function actionsToPerform(actionCount: number, steps: readonly Pick<StepRecord, 'reason'>[]): number {
  return actionCount + steps.filter(({ reason }) => reason === 'otherAction').length
}
