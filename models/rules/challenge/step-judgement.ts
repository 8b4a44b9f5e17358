import type { Observation } from '#models/rules/observation.ts'
import type { Judgement, StepRecord } from '#models/rules/verdict.ts'
import type { OpenStep } from './progress.ts'
import { isLate, type Judged } from './progress.ts'

/** Decides whether the asked action was performed; the verdict's own judgement of a step. */
export type JudgeStep = (
  asked: NonNullable<StepRecord['action']>,
  record: Omit<StepRecord, 'accepted' | 'reason'>,
  before: readonly Observation[],
  during: readonly Observation[],
) => Judgement

interface Answer {
  readonly before: readonly Observation[]
  readonly during: readonly Observation[]
  readonly answeredAt: number
}

/** Judges the open step by what came in answer to it. Pure. */
export function judgeOpen(judgeStep: JudgeStep, open: OpenStep, answer: Answer): Judged {
  const { before, during, answeredAt } = answer
  if (open.action === null) return { accepted: true, reason: null, answeredAt }
  if (isLate(open, answeredAt)) return { accepted: false, reason: 'late', answeredAt }
  return { ...judgeStep(open.action, { ...open, answeredAt }, before, during), answeredAt }
}
