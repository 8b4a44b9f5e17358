import type { Analysis, FaceAnalysis } from '../../models/rules/analysis.ts'
import { liveScore } from '../../models/rules/liveness/live-score.ts'
import { signalsOf } from '../../models/rules/signals.ts'
import { cosine } from '../../models/rules/similarity.ts'

/** How much two hosts differ for a picture. NaN if there is nothing to compare. */
export interface Differences {
  /** 1 if one host finds a face that the other one misses, or if they find different numbers of faces. */
  readonly detection: number
  readonly boxPixels: number
  readonly landmarkPixels: number
  /** 1 minus the cosine of the embeddings. */
  readonly cosineShort: number
  readonly live: number
  readonly ageYears: number
  readonly ageUncertainty: number
  readonly male: number
  readonly expression: number
  readonly eyesClosed: number
  readonly poseDegrees: number
  /** Answers that differ: gender, live, the dominant expression, and each emotion and attention flag. */
  readonly flags: readonly string[]
}

const liveFrom = 0.5

export function differencesOf(a: Analysis, b: Analysis): Differences {
  const [own, other] = [a.face, b.face]
  const isSame = (own === undefined) === (other === undefined) && a.others.length === b.others.length
  const detection = isSame ? 0 : 1
  if (own === undefined || other === undefined) return { ...nothing, detection }
  const apart = (value: (face: FaceAnalysis) => number) => Math.abs(value(own) - value(other))
  return {
    detection,
    boxPixels: Math.max(
      ...(['x', 'y', 'width', 'height'] as const).map((side) => apart(({ box }) => box[side])),
    ),
    landmarkPixels: farthest(own.landmarks, other.landmarks),
    cosineShort: Math.max(0, 1 - cosine(own.embedding!, other.embedding!)),
    live: apart(({ live }) => liveScore(live!)),
    ageYears: apart(({ age }) => age!.prediction),
    ageUncertainty: apart(({ age }) => age!.uncertainty),
    male: apart(({ gender }) => gender!.male),
    expression: farthest(Object.values(own.expressions!), Object.values(other.expressions!)),
    eyesClosed: Math.max(
      apart(({ eyesClosed }) => eyesClosed!.left),
      apart(({ eyesClosed }) => eyesClosed!.right),
    ),
    poseDegrees: Math.max(
      ...(['yaw', 'pitch', 'roll'] as const).map((axis) => apart(({ pose }) => pose[axis])),
    ),
    flags: Object.entries(flagsOf(own)).flatMap(([name, value]) =>
      flagsOf(other)[name] === value ? [] : [name],
    ),
  }
}

const nothing: Differences = {
  detection: 0,
  boxPixels: Number.NaN,
  landmarkPixels: Number.NaN,
  cosineShort: Number.NaN,
  live: Number.NaN,
  ageYears: Number.NaN,
  ageUncertainty: Number.NaN,
  male: Number.NaN,
  expression: Number.NaN,
  eyesClosed: Number.NaN,
  poseDegrees: Number.NaN,
  flags: [],
}

function flagsOf(face: FaceAnalysis): Readonly<Record<string, unknown>> {
  const [[dominant]] = Object.entries(face.expressions!).sort((a, b) => b[1] - a[1]) as [[string, number]]
  return {
    ...signalsOf(face),
    isLive: liveScore(face.live!) >= liveFrom,
    isMale: face.gender!.male >= 0.5,
    dominant,
  }
}

function farthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i]! - b[i]!))
  return most
}
