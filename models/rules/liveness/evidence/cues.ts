import type { Observation } from '#models/rules/observation.ts'
import type { Cue } from './cue.ts'
import { physicsOf } from './physics.ts'
import type { TrailPoint } from './trail.ts'

/** What the cues read. */
export interface CueInput {
  readonly observations: readonly Observation[]
  /** Empty where none was sent. */
  readonly trail: readonly TrailPoint[]
}

/** Every cue's answer, in a fixed order. */
export function cuesOf({ observations }: CueInput): Cue[] {
  return physicsOf(observations.flatMap(({ turned }) => turned ?? []))
}
