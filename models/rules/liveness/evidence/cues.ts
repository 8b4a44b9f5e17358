import type { StepRecord } from '#models/rules/challenge/step.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { Cue } from './cue.ts'
import { cuts } from './cuts.ts'
import { perspective } from './perspective.ts'
import { physicsOfVisit } from './physics.ts'
import type { TrailPoint } from './trail.ts'

/** What the cues read. */
export interface CueInput {
  readonly steps: readonly StepRecord[]
  readonly observations: readonly Observation[]
  /** Empty where none was sent. */
  readonly trail: readonly TrailPoint[]
}

/** Every cue's answer, in a fixed order. */
export function cuesOf(input: CueInput): Cue[] {
  const byStep = [...new Set(input.observations.map(({ step }) => step))].map((step) =>
    input.observations.flatMap((frame) => (frame.step === step ? (frame.turned ?? []) : [])),
  )
  return [...physicsOfVisit(byStep), cuts(input), perspective(input)]
}
