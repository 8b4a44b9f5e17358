import type { Action } from '#shared/contract/sessions/session.ts'

/** What the frames of a step show of the asked action. */
export type Outcome = 'performed' | 'notPerformed' | 'otherAction'

/** Why a step was accepted or not. */
export type StepReason = Outcome | 'late' | 'tooEarly' | 'personChanged' | 'noFace'

/** One step of the challenge as it was seen. Times are milliseconds of one clock: the server's, or a kiosk's. */
export interface StepRecord {
  readonly step: number
  /** Null at step 0. */
  readonly action: Action | null
  /** What `comeCloser` asked for, in times of the size at rest; absent from other steps, and where any growth does. */
  readonly size?: number
  /** The sizes that are revealed after this one; absent from the last of them. */
  readonly sizesLeft?: readonly number[]
  readonly revealedAt: number
  readonly answeredAt: number
  /** When it was accepted or refused, by the same clock; absent from captures of kiosks, and from steps of 0.2.0. */
  readonly judgedAt?: number
  readonly timeLimitInSeconds: number
  readonly accepted: boolean
  /** Null at step 0. */
  readonly reason: StepReason | null
}

export interface Judgement {
  readonly accepted: boolean
  readonly reason: StepReason
}

/** What was found of a step's frames, and when they came. */
export type Judged = Pick<StepRecord, 'accepted' | 'reason' | 'answeredAt'>

/** How many of the asked actions were performed; of several sizes the last one counts. */
export function actionsPerformed(
  steps: readonly Pick<StepRecord, 'action' | 'accepted' | 'sizesLeft'>[],
): number {
  return steps.filter((step) => step.action !== null && step.accepted && !isFollowed(step)).length
}

/** Whether the step asks for a size after which another one is revealed. */
export function isFollowed({ sizesLeft = [] }: Pick<StepRecord, 'sizesLeft'>): boolean {
  return sizesLeft.length > 0
}

/**
 * [Note: A wrong action costs another one] Whoever mixes up left and right may try again; a recording that shows its
 * actions in an order of its own gets no cheap second draw, because two right ones are then needed for one.
 */
export function actionsToPerform(actionCount: number, steps: readonly Pick<StepRecord, 'reason'>[]): number {
  return actionCount + steps.filter(({ reason }) => reason === 'otherAction').length
}
