import { turnsTheHead } from '#models/rules/challenge/movement.ts'
import { actionsPerformed, actionsToPerform, type StepRecord } from '#models/rules/challenge/step.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { Cue } from './cue.ts'
import { isFilmStill } from './film-movement.ts'
import { type FilmOfPerson, filmedPerson } from './film-person.ts'
import { isTrailComplete, leastFilm, type TrailPoint } from './trail.ts'

/** The evidence that a visit provides. */
export interface VisitEvidence {
  /** The number of requested actions; 0 for a capture without a challenge. */
  readonly actionCount: number
  readonly steps: readonly StepRecord[]
  readonly observations: readonly Observation[]
  readonly trail: readonly TrailPoint[]
  /** When the visit began. Defaults to when its first step was revealed. */
  readonly openedAt?: number | undefined
}

/**
 * True if evidence is missing that our page sends with every visit: a film in addition to the frames, at least one head turn, comparable straight
 * and turned pictures for each turn, and a look into the camera after the last action.
 *
 * [Note: What may be left out will be left out] Cues cannot tell anything about pictures that were not sent. If a person was asked for an action and
 * failed, they are rejected by the challenge, not by this rule.
 */
export function isEvidenceMissing({ actionCount, trail, ...visit }: VisitEvidence): boolean {
  const { steps, observations } = visit
  if (!isTrailComplete(trail, visit, leastFilm)) return true
  if (actionCount === 0) return false
  const turns = steps.filter(({ action, accepted }) => accepted && action !== null && turnsTheHead(action))
  const compared = (turn: StepRecord) =>
    observations.some(
      ({ step, receivedAt, turned }) =>
        step === turn.step && turned !== undefined && receivedAt >= (turn.exchangedAt ?? 0),
    )
  const isDone = actionsPerformed(steps) >= actionsToPerform(actionCount, steps)
  return !turns.every(compared) || (isDone && (turns.length === 0 || !isSeenAfter(steps, observations)))
}

/**
 * True if a face was seen after the last action, because a recording that happens to show the requested action would continue with others.
 * Pictures that arrived before the server accepted the action do not count.
 */
function isSeenAfter(steps: readonly StepRecord[], observations: readonly Observation[]): boolean {
  const last = steps.at(-1)
  const accepted = last?.judgedAt ?? last?.answeredAt ?? 0
  return observations.some(({ face, receivedAt }) => face !== null && receivedAt > accepted)
}

/** True if the film shows a different person than the frames, or if the head stays still in the film while it turns in the frames. */
export function isFilmForeign(visit: FilmOfPerson & Pick<VisitEvidence, 'observations'>): boolean {
  return filmedPerson(visit) === 'other' || isFilmStill(visit)
}

/** True if no cue can tell anything from the evidence, because it is too dark, too even or too still. */
export function isEvidenceSilent(cues: readonly Cue[]): boolean {
  return cues.every(({ answer }) => answer === 'cannotTell')
}
