import type { StepRecord } from '#models/rules/challenge/step.ts'
import { sizeOf } from '#models/rules/face/neutral-face.ts'
import { rigidLandmarks } from '#models/rules/face/pose.ts'
import { likenessOf } from '#models/rules/liveness/scene.ts'
import { median } from '#models/rules/median.ts'
import type { Observation, ObservedFace } from '#models/rules/observation.ts'
import type { Cue } from './cue.ts'

/**
 * Logarithms of how much the middle of the face grows relative to its sides.
 *
 * [Note: Perspective] The cue holds above the value of every picture that was enlarged as a whole. It is broken below half of the minimum over all
 * living people, but only if the surroundings did not change. A zooming camera also enlarges the surroundings, and makes a living face look like a
 * photograph that is brought closer.
 */
export const perspectiveLimits = {
  held: 0.018,
  broken: 0.005,
  /** The minimum ratio between the two sizes. If they are closer, the mesh's noise is as large as the signal. */
  leastRatio: 1.25,
  /** The maximum angle between the two poses in degrees, since a turn or a nod changes the same distances. */
  mostTurned: 6,
  /** The surroundings count as unmoved if the two rims correlate at least this well. */
  steadyRim: 0.9,
} as const

/** Compares two frames of a visit in which the face came closer. */
export interface NearingPair {
  /** The nearer face's size divided by the farther face's size. */
  readonly ratio: number
  /** The logarithm of how much the middle of the face grew relative to its sides. About 0 for a flat picture. */
  readonly centre: number
  /** True if the surroundings grew no more than they would with a fixed camera. */
  readonly isSteady: boolean
}

/**
 * Closer to the camera, near parts grow more than far ones, by 1 / (z + dz): the eye corners more than the sides of the
 * face, some eight centimetres behind them. A flat picture grows equally everywhere. Undefined if the two frames differ
 * too little in size or too much in pose.
 */
export function nearingBetween(a: Observation, b: Observation): NearingPair | undefined {
  if (a.face === null || b.face === null) return undefined
  const [far, near] = sizeOf(a) <= sizeOf(b) ? [a, b] : [b, a]
  const ratio = sizeOf(near) / Math.max(1e-6, sizeOf(far))
  const turned = Math.hypot(a.face.pose.yaw - b.face.pose.yaw, a.face.pose.pitch - b.face.pose.pitch)
  if (ratio < perspectiveLimits.leastRatio || turned > perspectiveLimits.mostTurned) return undefined
  const centre = Math.log(eyesOverSides(near.face!) / eyesOverSides(far.face!))
  const isSteady = likenessOf(a.rim, b.rim) >= perspectiveLimits.steadyRim
  return Number.isFinite(centre) ? { ratio, centre: centre, isSteady } : undefined
}

/** The session's cue, based on all pairs of its frames, if a size was requested. */
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

/** The combined answer for some pairs of frames, i.e. their median. */
export function perspectiveIn(pairs: readonly NearingPair[]): Cue {
  const value = median(pairs.map(({ centre }) => centre)) ?? null
  return { name: 'perspective', answer: answerOf(value, pairs), value }
}

function answerOf(value: number | null, pairs: readonly NearingPair[]): Cue['answer'] {
  if (value === null) return 'cannotTell'
  if (value >= perspectiveLimits.held) return 'held'
  const isSteady = pairs.every((pair) => pair.isSteady)
  return value < perspectiveLimits.broken && isSteady ? 'broken' : 'cannotTell'
}

const places = { eyes: [33, 263], sides: [234, 454] } as const

function eyesOverSides({ points }: ObservedFace): number {
  return distance(points, places.eyes) / distance(points, places.sides)
}

/** The distance between two rigid landmarks of the mesh, regardless of the head's tilt in the picture. */
function distance(points: readonly number[], [a, b]: readonly [RigidLandmark, RigidLandmark]): number {
  const [from, to] = [2 * rigidLandmarks.indexOf(a), 2 * rigidLandmarks.indexOf(b)]
  return Math.hypot(points[from]! - points[to]!, points[from + 1]! - points[to + 1]!)
}

type RigidLandmark = (typeof rigidLandmarks)[number]
