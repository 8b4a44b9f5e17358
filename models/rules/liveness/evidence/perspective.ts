import { sizeOf } from '#models/rules/challenge/neutral-face.ts'
import type { StepRecord } from '#models/rules/challenge/step.ts'
import { rigidLandmarks } from '#models/rules/face/pose.ts'
import { likenessOf } from '#models/rules/liveness/scene.ts'
import { median } from '#models/rules/median.ts'
import type { Observation, ObservedFace } from '#models/rules/observation.ts'
import type { Cue } from './cue.ts'

/**
 * Logarithms of how much more the middle of the face grew than its sides.
 *
 * [Note: Perspective] Held: beyond every picture that was enlarged as a whole. Broken: below half of the least of any
 * living person, and only where the surroundings stayed as they were: a camera that zooms enlarges them along, and what
 * it makes of a living face is what a photograph shows that is held nearer.
 */
export const perspectiveLimits = {
  held: 0.018,
  broken: 0.005,
  /** Of the two sizes: nearer together, the mesh's own noise is as large as what is sought. */
  leastRatio: 1.25,
  /** Degrees between the two poses: a turn and a nod change the same distances. */
  mostTurned: 6,
  /** Correlation of the two rims from which the surroundings count as unmoved. */
  steadyRim: 0.9,
} as const

/** What two frames of a visit show of a face that came nearer. */
export interface Nearing {
  /** Size of the nearer face over that of the other. */
  readonly ratio: number
  /** Logarithm of the growth of the middle of the face over that of its sides; about 0 where a flat picture came nearer. */
  readonly centre: number
  /** Whether the surroundings grew as little as they do where the camera stays as it is. */
  readonly isSteady: boolean
}

/**
 * Nearer, what is in front grows more than what lies behind, by 1 / (z + dz): the eyes' corners more than the sides of the face,
 * which lie some eight centimetres behind them. A flat picture grows alike everywhere. Undefined where the two frames
 * differ too little in size or too much in pose.
 */
export function nearingBetween(a: Observation, b: Observation): Nearing | undefined {
  if (a.face === null || b.face === null) return undefined
  const [far, near] = sizeOf(a) <= sizeOf(b) ? [a, b] : [b, a]
  const ratio = sizeOf(near) / Math.max(1e-6, sizeOf(far))
  const turned = Math.hypot(a.face.pose.yaw - b.face.pose.yaw, a.face.pose.pitch - b.face.pose.pitch)
  if (ratio < perspectiveLimits.leastRatio || turned > perspectiveLimits.mostTurned) return undefined
  const centre = Math.log(eyesOverSides(near.face!) / eyesOverSides(far.face!))
  const isSteady = likenessOf(a.rim, b.rim) >= perspectiveLimits.steadyRim
  return Number.isFinite(centre) ? { ratio, centre: centre, isSteady } : undefined
}

/** The cue of a session: all pairs of its frames, where a size was asked. */
export function perspective({
  steps,
  observations,
}: {
  readonly steps: readonly Pick<StepRecord, 'size'>[]
  readonly observations: readonly Observation[]
}): Cue {
  const isAsked = steps.some(({ size }) => size !== undefined)
  const pairs = isAsked
    ? observations.flatMap((a, i) => observations.slice(i + 1).flatMap((b) => nearingBetween(a, b) ?? []))
    : []
  return perspectiveIn(pairs)
}

/** What some pairs of frames say together: their median. */
export function perspectiveIn(pairs: readonly Nearing[]): Cue {
  const value = median(pairs.map(({ centre }) => centre)) ?? null
  return { name: 'perspective', answer: answerOf(value, pairs), value }
}

function answerOf(value: number | null, pairs: readonly Nearing[]): Cue['answer'] {
  if (value === null) return 'cannotTell'
  if (value >= perspectiveLimits.held) return 'held'
  const isSteady = pairs.every((pair) => pair.isSteady)
  return value < perspectiveLimits.broken && isSteady ? 'broken' : 'cannotTell'
}

const places = { eyes: [33, 263], sides: [234, 454] } as const

function eyesOverSides({ points }: ObservedFace): number {
  return distance(points, places.eyes) / distance(points, places.sides)
}

/** Between two rigid landmarks of the mesh, whatever the head's own tilt in the picture. */
function distance(points: readonly number[], [a, b]: readonly [RigidLandmark, RigidLandmark]): number {
  const [from, to] = [2 * rigidLandmarks.indexOf(a), 2 * rigidLandmarks.indexOf(b)]
  return Math.hypot(points[from]! - points[to]!, points[from + 1]! - points[to + 1]!)
}

type RigidLandmark = (typeof rigidLandmarks)[number]
