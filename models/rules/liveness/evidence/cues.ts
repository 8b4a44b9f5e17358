import type { StepRecord } from '#models/rules/challenge/step.ts'
import type { Observation, TurnedPair } from '#models/rules/observation.ts'
import type { Cue } from './cue.ts'
import { cuts } from './cuts.ts'
import { perspective } from './perspective.ts'
import { physicsOfVisit } from './physics.ts'
import type { TrailPoint } from './trail.ts'

export interface CueInput {
  readonly steps: readonly StepRecord[]
  readonly observations: readonly Observation[]
  /** Empty if no film was sent. */
  readonly trail: readonly TrailPoint[]
}

/** The answers of all cues, in a fixed order. */
export function cuesOf(input: CueInput): Cue[] {
  return [...physicsOfVisit(pairsByAnswer(input)), cuts(input), perspective(input)]
}

/**
 * [Note: Later pictures mend nothing] Pairs received before a step was answered are kept separate from later ones. Otherwise, good pairs
 * that were sent afterwards, from any source, would outvote those from the requested turn. Pairs of an action that was replaced are separate too.
 */
function pairsByAnswer({ steps, observations }: CueInput): TurnedPair[][] {
  const answered = new Map(steps.map((step) => [step.step, step]))
  const groups = new Map<string, TurnedPair[]>()
  for (const { step, receivedAt, turned } of observations) {
    const { answeredAt = Number.POSITIVE_INFINITY, exchangedAt = 0 } = answered.get(step) ?? {}
    const key = `${step} ${receivedAt > answeredAt} ${receivedAt < exchangedAt}`
    groups.set(key, [...(groups.get(key) ?? []), ...(turned === undefined ? [] : [turned])])
  }
  return [...groups.values()]
}
