import type { Observation } from '#models/rules/observation.ts'
import { judgeStep } from '#models/rules/verdict.ts'
import { isLate, type Judged, type OpenStep } from './progress.ts'

interface Answer {
  readonly before: readonly Observation[]
  readonly during: readonly Observation[]
  readonly answeredAt: number
}

/** Judges the open step by what came in answer to it. Pure. */
export function judgeOpen(open: OpenStep, { before, during, answeredAt }: Answer): Judged {
  if (open.action === null) return { accepted: true, reason: null, answeredAt }
  if (isLate(open, answeredAt)) return { accepted: false, reason: 'late', answeredAt }
  return { ...judgeStep(open.action, { ...open, answeredAt }, before, during), answeredAt }
}
