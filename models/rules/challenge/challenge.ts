import { embeddingLengths } from '#models/rules/embedding.ts'
import { flatnessResidual } from '#models/rules/liveness/flatness.ts'
import { fairLimits } from '#models/rules/liveness/liveness-fusion.ts'
import type { Observation, ObservedFace } from '#models/rules/observation.ts'
import { cosine } from '#models/rules/similarity.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

/**
 * What counts as an action, relative to the person's own neutral face. Degrees and shares; calibrated on footage of
 * live people and of tilted photographs, which move a plane's landmarks by less than half of it.
 */
export const actionLimits = {
  turnDegrees: 15,
  /** Of the nose between the sides of the face; a photograph tilted by 45 degrees reaches 0.33. */
  turnOfNose: 0.38,
  upDegrees: 14,
  downDegrees: 16,
  /** What a homography must leave unexplained in a turn or a nod. */
  flatness: 0.085,
  /**
   * How much of its breadth a head must keep in a turn. Measured: live people keep at least 0.98 of it; of 9
   * photographs, tilted and bent in 457 ways, 29 look turned and leave something unexplained, and one of these keeps it.
   */
  breadth: 0.95,
  /** A nod while the head is turned further than this is part of the turn. */
  straightWithinDegrees: 12,
  happy: 0.6,
  happyRise: 0.3,
  smileRise: 0.04,
  eyesShut: 0.7,
  eyesOpen: 0.85,
  closer: 1.25,
} as const

/**
 * Cosine to the neutral face below which a frame shows somebody else; a turned head costs a live person up to half
 * (measured: turned 0.64 and up, looking far up 0.45 and up). What counts as the action must be closer: one stranger
 * in ten thousand is, and a frame at the end of a movement need not be the one that shows it.
 */
export const samePerson = { frontal: 0.45, moving: 0.28, acting: 0.4 } as const

/** As above for dlib's embeddings, whose strangers begin at 0.84: one stranger in a thousand, and one in a hundred. */
const samePersonByDlib = { frontal: 0.93, moving: 0.91 } as const

/** The person's neutral face: what every movement is measured from. */
export interface Neutral {
  readonly yaw: number
  readonly pitch: number
  readonly turn: number
  readonly happy: number
  readonly smile: number
  readonly eyeOpenness: number
  /** Width of the face over the shorter side of the picture. */
  readonly size: number
  readonly points: readonly number[]
  readonly breadth: number
  readonly embedding: readonly number[]
}

/** A neutral face looks at the camera: further than this from straight, coming back would pass for a turn. */
const straightYawDegrees = 14

/** The neutral face of some frames: the one in the middle of them; undefined where no frame shows a straight face. */
export function neutralOf(observations: readonly Observation[]): Neutral | undefined {
  const seen = observations.filter(
    ({ face }) => face !== null && Math.abs(face.pose.yaw) <= straightYawDegrees,
  )
  const byYaw = [...seen].sort((a, b) => a.face!.pose.yaw - b.face!.pose.yaw)
  const middle = byYaw[Math.floor((byYaw.length - 1) / 2)]
  if (middle === undefined) return undefined
  const face = middle.face!
  const median = (read: (face: ObservedFace) => number) => medianOf(seen.map(({ face }) => read(face!)))
  return {
    yaw: median((face) => face.pose.yaw),
    pitch: median((face) => face.pose.pitch),
    turn: median((face) => face.turn),
    happy: median((face) => face.expressions?.happy ?? 0),
    smile: median((face) => face.smile),
    eyeOpenness: median((face) => face.eyeOpenness),
    size: medianOf(seen.map(sizeOf)),
    points: face.points,
    breadth: median((face) => face.breadth),
    embedding: face.embedding,
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

function sizeOf({ face, width, height }: Observation): number {
  return (face?.box.width ?? 0) / Math.min(width, height)
}

/** What one frame shows beside the neutral face. `lookDown` is no action of a challenge, but a movement all the same. */
export type Movement = Action | 'lookDown'

/** Every movement that a frame shows. A movement of the head that a flat picture could make is none. */
export function movementsOf(observation: Observation, neutral: Neutral): ReadonlySet<Movement> {
  const found = new Set<Movement>()
  const { face } = observation
  if (face === null) return found
  const head = headMovement(face, neutral)
  if (head !== undefined) found.add(head)
  const happy = face.expressions?.happy ?? 0
  const { happy: neutralHappy, smile } = neutral
  if (happy >= actionLimits.happy && happy - neutralHappy >= actionLimits.happyRise) {
    if (face.smile - smile >= actionLimits.smileRise) found.add('smile')
  }
  if (eyesAreShut(face, neutral)) found.add('blink')
  if (sizeOf(observation) >= actionLimits.closer * neutral.size) found.add('comeCloser')
  return found
}

function headMovement(face: ObservedFace, neutral: Neutral, share = 1): Movement | undefined {
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

function eyesAreShut(face: ObservedFace, neutral: Neutral): boolean {
  const shutByNetwork =
    face.eyesClosed === null || Math.max(face.eyesClosed.left, face.eyesClosed.right) >= 0.5
  return shutByNetwork && face.eyeOpenness <= actionLimits.eyesShut * neutral.eyeOpenness
}

/** Movements that speak against an asked one: those of the head, other than it. A smile or a blink happens to anyone. */
export function contradicts(movement: Movement, asked: Action): boolean {
  return movement !== asked && headMovements.has(movement)
}

const headMovements: ReadonlySet<Movement> = new Set(['turnLeft', 'turnRight', 'lookUp', 'lookDown'])

/** Whether the frames of a step show the asked action, and none instead of it. */
export function performedIn(
  asked: Action,
  frames: readonly Observation[],
  neutral: Neutral,
): 'performed' | 'notPerformed' | 'otherAction' {
  const shown = frames.map((frame) => movementsOf(frame, neutral))
  if (shown.some((movements) => [...movements].some((movement) => contradicts(movement, asked)))) {
    return 'otherAction'
  }
  const isShown = frames.some((frame, i) => shown[i]!.has(asked) && isActor(frame, neutral))
  const enough = isShown && (asked !== 'blink' || opensAgain(frames, neutral))
  return enough ? 'performed' : 'notPerformed'
}

/** Whether a frame that shows the action shows it by the neutral one's person, and not by just anybody alike. */
function isActor({ face }: Observation, neutral: Neutral): boolean {
  if (face === null || face.embedding.length === 0) return true
  return cosine(face.embedding, neutral.embedding) >= samePerson.acting
}

function opensAgain(frames: readonly Observation[], neutral: Neutral): boolean {
  return frames.some(
    ({ face }) => face !== null && face.eyeOpenness >= actionLimits.eyesOpen * neutral.eyeOpenness,
  )
}

/** Whether a frame of before the first action shows a movement of the head already. */
export function isAhead({ face }: Observation, neutral: Neutral): boolean {
  return face !== null && headMovement(face, neutral) !== undefined
}

/** After the last action, this share of an action is already a movement: the person was asked to look straight ahead. */
const strayShare = 0.8

/** Whether a frame taken after the asked action shows another movement of the head. */
export function strays(frame: Observation, neutral: Neutral, asked: Action): boolean {
  if (frame.face === null) return false
  const movement = headMovement(frame.face, neutral, strayShare)
  return movement !== undefined && contradicts(movement, asked)
}

/** Whether every face of the frames is the neutral one's person. */
export function isSamePerson(frames: readonly Observation[], neutral: Neutral): boolean {
  return frames.every(({ face }) => {
    if (face === null || face.embedding.length === 0) return true
    const limits = limitsOf(face.embedding)
    const limit = isTurned(face, neutral) ? limits.moving : limits.frontal
    return cosine(face.embedding, neutral.embedding) >= limit
  })
}

/** The lowest cosine of a frame's face to the neutral one; undefined where no face was embedded. */
export function leastLikeness(frames: readonly Observation[], neutral: Neutral): number | undefined {
  const embeddings = frames.flatMap(({ face }) => (face?.embedding.length ? [face.embedding] : []))
  if (embeddings.length === 0) return undefined
  return Math.min(...embeddings.map((embedding) => cosine(embedding, neutral.embedding)))
}

/** The length of an embedding tells which model made it. */
function limitsOf({ length }: readonly number[]) {
  return length === embeddingLengths['dlib-face/2'] ? samePersonByDlib : samePerson
}

/** Too far from the neutral pose for a fair comparison or a fair picture. */
export function isTurned(face: ObservedFace, neutral: Neutral): boolean {
  const { yawDegrees, pitchDegrees } = fairLimits
  return (
    Math.abs(face.pose.yaw - neutral.yaw) > yawDegrees ||
    Math.abs(face.pose.pitch - neutral.pitch) > pitchDegrees
  )
}
