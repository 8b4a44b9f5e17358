import type { Action } from '#shared/contract/sessions/session.ts'

/** The result of comparing the frames of a step with the requested action. */
export type Outcome = 'performed' | 'notPerformed' | 'otherAction'

/** Why a step was accepted or not. */
export type StepReason = Outcome | 'late' | 'tooEarly' | 'personChanged' | 'noFace'

/** One judged step of the challenge. Times are milliseconds of one clock: the server's, or a kiosk's. */
export interface StepRecord {
  readonly step: number
  /** Null at step 0. */
  readonly action: Action | null
  /** The size requested by `comeCloser`, relative to the size at rest; absent from other steps, and if any growth counts. */
  readonly size?: number
  /** The sizes that are revealed after this one; absent from the last of them. */
  readonly sizesLeft?: readonly number[]
  readonly revealedAt: number
  readonly answeredAt: number
  readonly timeLimitInSeconds: number
  readonly accepted: boolean
  /** Null at step 0. */
  readonly reason: StepReason | null
}

export interface Judgement {
  readonly accepted: boolean
  readonly reason: StepReason
}

/** The judgement of a step's frames, and the time of their arrival. */
export type Judged = Pick<StepRecord, 'accepted' | 'reason' | 'answeredAt'>

/** Number of performed actions; of several sizes only the last one counts. */
export function actionsPerformed(
  steps: readonly Pick<StepRecord, 'action' | 'accepted' | 'sizesLeft'>[],
): number {
  return steps.filter((step) => step.action !== null && step.accepted && !isFollowed(step)).length
}

/** True if another size is revealed after the one of this step. */
export function isFollowed({ sizesLeft = [] }: Pick<StepRecord, 'sizesLeft'>): boolean {
  return sizesLeft.length > 0
}

/**
 * [Note: A wrong action costs another one] A person who mixes up left and right may try again. A recording with actions
 * in a fixed order gets no cheap second draw, because two correct actions are then required instead of one.
 */
export function actionsToPerform(actionCount: number, steps: readonly Pick<StepRecord, 'reason'>[]): number {
  return actionCount + steps.filter(({ reason }) => reason === 'otherAction').length
}
