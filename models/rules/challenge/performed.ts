import { flatnessResidual } from '#models/rules/face/flatness.ts'
import { type NeutralFace, sizeOf } from '#models/rules/face/neutral-face.ts'
import type { Observation, ObservedFace } from '#models/rules/observation.ts'
import { isActor } from '#models/rules/same-person.ts'
import type { Action } from '#shared/contract/sessions/session.ts'
import { actionLimits, backShare, strayShare } from './action-limits.ts'
import { contradicts, type Movement } from './movement.ts'
import { hasSize } from './size.ts'

/** Returns all movements in a frame, except head movements that a flat picture could also produce. */
export function movementsOf(observation: Observation, neutral: NeutralFace): ReadonlySet<Movement> {
  const found = new Set<Movement>()
  const { face } = observation
  if (face === null) return found
  const head = headMovement(face, neutral)
  if (head !== undefined) found.add(head)
  if (isSmiling(face, neutral)) found.add('smile')
  if (eyesAreShut(face, neutral)) found.add('blink')
  if (sizeOf(observation) >= actionLimits.closer.needed * neutral.size) found.add('comeCloser')
  return found
}

function isSmiling({ expressions, smile }: ObservedFace, neutral: NeutralFace): boolean {
  const happy = expressions?.happy ?? 0
  return (
    happy >= actionLimits.happy.needed &&
    happy - neutral.happy >= actionLimits.happyRise &&
    smile - neutral.smile >= actionLimits.smileRise.needed
  )
}

function headMovement(face: ObservedFace, neutral: NeutralFace, share = 1): Movement | undefined {
  const yaw = face.pose.yaw - neutral.yaw
  const pitch = face.pose.pitch - neutral.pitch
  const nose = face.turn - neutral.turn
  if (flatnessResidual(neutral.points, face.points) < actionLimits.flatness * share) return undefined
  const { turnDegrees, turnOfNose, upDegrees, downDegrees } = actionLimits
  const isSolid = face.breadth >= actionLimits.breadth * neutral.breadth
  if (yaw >= turnDegrees * share && nose >= turnOfNose * share) return isSolid ? 'turnLeft' : undefined
  if (yaw <= -turnDegrees * share && nose <= -turnOfNose * share) return isSolid ? 'turnRight' : undefined
  if (Math.abs(yaw) > actionLimits.straightWithinDegrees) return undefined
  if (pitch >= upDegrees * share) return 'lookUp'
  return pitch <= -downDegrees * share ? 'lookDown' : undefined
}

function eyesAreShut({ eyesClosed, eyeOpenness }: ObservedFace, neutral: NeutralFace): boolean {
  const shutByNetwork =
    eyesClosed === null || Math.max(eyesClosed.left, eyesClosed.right) >= actionLimits.eyesClosed.needed
  return shutByNetwork && eyeOpenness <= actionLimits.eyesShut * neutral.eyeOpenness
}

/**
 * Decides whether a step's frames show the requested action and no other. `previous` is the action before it. If a size is requested,
 * the step's last face must have that size, so that running through all sizes does not pass.
 */
export function performedIn(
  asked: Action,
  answer: readonly Observation[],
  neutral: NeutralFace,
  previous: Action | null = null,
  size?: number,
): 'performed' | 'notPerformed' | 'otherAction' {
  const frames = previous === asked ? answer : afterWayBack(answer, neutral, previous)
  const shown = frames.map((frame) => movementsOf(frame, neutral))
  if (shown.some((movements) => [...movements].some((movement) => contradicts(movement, asked)))) {
    return 'otherAction'
  }
  if (size !== undefined) return endsAtSize(frames, size, neutral) ? 'performed' : 'notPerformed'
  const isShown = frames.some(({ face }, i) => shown[i]!.has(asked) && isActor(face, neutral))
  const enough = isShown && (asked !== 'blink' || opensAgain(frames, neutral))
  return enough ? 'performed' : 'notPerformed'
}

/**
 * Skips the frames that still show the previous action. Returns all frames if every one of them does.
 * [Note: The way back is no other action] People react about half a second after reading the instruction, and a turned head takes just
 * as long to come back. Movements on the way back belong to the previous action. A recording gains nothing from this, since it may show
 * the previous action but not yet any other.
 */
function afterWayBack(
  frames: readonly Observation[],
  neutral: NeutralFace,
  previous: Action | null,
): readonly Observation[] {
  const isOnIt = ({ face }: Observation) =>
    face !== null && headMovement(face, neutral, backShare) === previous
  const first = previous === null ? 0 : frames.findIndex((frame) => !isOnIt(frame))
  return frames.slice(Math.max(0, first))
}

function endsAtSize(frames: readonly Observation[], size: number, neutral: NeutralFace): boolean {
  const last = frames.findLast(({ face }) => face !== null)
  return last !== undefined && hasSize(last, size, neutral) && isActor(last.face, neutral)
}

function opensAgain(frames: readonly Observation[], neutral: NeutralFace): boolean {
  return frames.some(
    ({ face }) => face !== null && face.eyeOpenness >= actionLimits.eyesOpen * neutral.eyeOpenness,
  )
}

/** True if a frame from before the first action already shows a head movement. */
export function isAhead({ face }: Observation, neutral: NeutralFace): boolean {
  return face !== null && headMovement(face, neutral) !== undefined
}

/** True if a frame from after the requested action shows a different head movement. */
export function strays({ face }: Observation, neutral: NeutralFace, asked: Action): boolean {
  const movement = face === null ? undefined : headMovement(face, neutral, strayShare)
  return movement !== undefined && contradicts(movement, asked)
}
