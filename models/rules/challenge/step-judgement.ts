import { neutralOf } from '#models/rules/face/neutral-face.ts'
import type { Observation } from '#models/rules/observation.ts'
import { isSamePerson } from '#models/rules/same-person.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { performedIn } from './performed.ts'
import { type ChallengeProgress, isLate } from './progress.ts'
import type { Judgement, StepJudgement, StepRecord } from './step.ts'

/** The fastest plausible human reaction, in milliseconds. */
export const reactionInMilliseconds = 400

/**
 * Decides whether the step's frames show the requested action, in time, performed by the same face as in earlier frames.
 * `previous` is the previous step's action.
 */
export function judgeStep(
  asked: Action,
  step: Pick<StepRecord, 'revealedAt' | 'answeredAt' | 'timeLimitInSeconds' | 'size'>,
  before: readonly Observation[],
  during: readonly Observation[],
  previous: Action | null = null,
): Judgement {
  if (isLate(step, step.answeredAt)) return refused('late')
  if (step.answeredAt - step.revealedAt < reactionInMilliseconds) return refused('tooEarly')
  const neutral = neutralOf(before.filter(({ step }) => step === 0))
  if (neutral === undefined || !during.some(({ face }) => face !== null)) return refused('noFace')
  if (!isSamePerson(during, neutral)) return refused('personChanged')
  const outcome = performedIn(asked, during, neutral, previous, step.size)
  return outcome === 'performed' ? { accepted: true, reason: outcome } : refused(outcome)
}

function refused(reason: Judgement['reason']): Judgement {
  return { accepted: false, reason }
}

interface Answer {
  readonly before: readonly Observation[]
  readonly during: readonly Observation[]
  readonly answeredAt: number
}

/** Judges the open step based on the frames submitted for it. Step 0 requires no action. */
export function judgeOpen(
  { open, answered }: Pick<ChallengeProgress, 'open' | 'answered'>,
  { before, during, answeredAt }: Answer,
): StepJudgement {
  const asked = open!.action
  if (asked === null) return { accepted: true, reason: null, answeredAt }
  const previous = answered.at(-1)?.action ?? null
  return { ...judgeStep(asked, { ...open!, answeredAt }, before, during, previous), answeredAt }
}
