import { turnsTheHead } from '#models/rules/challenge/movement.ts'
import { actionsPerformed, actionsToPerform, type StepRecord } from '#models/rules/challenge/step.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { Cue } from './cue.ts'
import { isTrailComplete, leastFilm, type TrailPoint } from './trail.ts'

/** A visit, by what it has to show for itself. */
export interface Shown {
  /** How many actions are asked for; 0 for a capture without a challenge. */
  readonly actionCount: number
  readonly steps: readonly StepRecord[]
  readonly observations: readonly Observation[]
  readonly trail: readonly TrailPoint[]
}

/**
 * Whether something lacks that our page sends of every visit: a film besides the frames, a head that turns at least once, of each turn a
 * straight and a turned picture that can be compared, and a look into the camera after the last action.
 *
 * [Note: What may be left out will be left out] A cue says nothing of pictures that nobody sent. Whoever was asked and failed is told
 * so by the challenge, and not by this.
 */
export function isEvidenceMissing({ actionCount, steps, observations, trail }: Shown): boolean {
  if (!isTrailComplete(trail, { steps, observations }, leastFilm)) return true
  if (actionCount === 0) return false
  const turns = steps.filter(({ action, accepted }) => accepted && action !== null && turnsTheHead(action))
  const compared = (turn: StepRecord) =>
    observations.some(({ step, turned }) => step === turn.step && turned !== undefined)
  const isDone = actionsPerformed(steps) >= actionsToPerform(actionCount, steps)
  return !turns.every(compared) || (isDone && (turns.length === 0 || !isSeenAfter(steps, observations)))
}

/**
 * Whether somebody looked into the camera after the last action: a recording that shows the asked action goes on to show others. What arrived before the
 * server accepted that action is no look after it.
 */
function isSeenAfter(steps: readonly StepRecord[], observations: readonly Observation[]): boolean {
  const last = steps.at(-1)
  const accepted = last?.judgedAt ?? last?.answeredAt ?? 0
  return observations.some(({ face, receivedAt }) => face !== null && receivedAt > accepted)
}

/** Whether the evidence is there and says nothing at all: it is too dark, too even or too still. */
export function isEvidenceSilent(cues: readonly Cue[]): boolean {
  return cues.every(({ answer }) => answer === 'cannotTell')
}
