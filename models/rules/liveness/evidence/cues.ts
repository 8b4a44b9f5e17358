import type { StepRecord } from '#models/rules/challenge/step.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { Cue } from './cue.ts'
import { cuts } from './cuts.ts'
import { perspective } from './perspective.ts'
import { physicsOfVisit } from './physics.ts'
import type { TrailPoint } from './trail.ts'
import type { TurnedPair } from './turned-pairs.ts'

/** The input of the cues. */
export interface CueInput {
  readonly steps: readonly StepRecord[]
  readonly observations: readonly Observation[]
  /** Empty if none was sent. */
  readonly trail: readonly TrailPoint[]
}

/** Every cue's answer, in a fixed order. */
export function cuesOf(input: CueInput): Cue[] {
  return [...physicsOfVisit(pairsByAnswer(input)), cuts(input), perspective(input)]
}

/**
 * [Note: Later pictures mend nothing] Pairs from the answer to a step are kept separate from later ones. Otherwise good
 * pairs sent afterwards, from any source, would outvote those of the requested turn.
 */
function pairsByAnswer({ steps, observations }: CueInput): TurnedPair[][] {
  const answeredAt = new Map(steps.map((step) => [step.step, step.answeredAt]))
  const groups = new Map<string, TurnedPair[]>()
  for (const { step, receivedAt, turned } of observations) {
    const isLate = receivedAt > (answeredAt.get(step) ?? Number.POSITIVE_INFINITY)
    const key = `${step} ${isLate}`
    groups.set(key, [...(groups.get(key) ?? []), ...(turned === undefined ? [] : [turned])])
  }
  return [...groups.values()]
}
