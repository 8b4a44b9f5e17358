import type { AgeEstimate, Box, GenderEstimate, LiveProbabilities, Pose, Quality } from './analysis.ts'
import type { TurnedPair } from './liveness/evidence/turned-pairs.ts'

/** `same`: the very same picture, possibly re-encoded; `similar`: the same light on the same scene; `none`: neither. */
export type Reuse = 'none' | 'similar' | 'same'

/** The server's analysis of one submitted frame: everything the verdict may read, but no picture. */
export interface Observation {
  /** 0 before the first action, k during (and after) the k-th. */
  readonly step: number
  /** Milliseconds since the camera started, as reported by the device; only a hint. */
  readonly time: number
  /** The server's clock, milliseconds since 1970. */
  readonly receivedAt: number
  readonly width: number
  readonly height: number
  readonly luminance: number
  /** Faces at least 40 % as wide as the dominant one, including it; 0 without a face. */
  readonly faceCount: number
  /** Faces of any size, as `detect` counts them; only in the picture of a visit in which they were searched. */
  readonly inView?: number
  readonly face: ObservedFace | null
  /** Comparison with the straightest picture of the same request; absent if the two were not compared. */
  readonly turned?: TurnedPair
  /** The picture's rim, see scene-signature.ts; empty if liveness was not analysed. */
  readonly rim: readonly number[]
  /** Result of comparing the picture with other sessions of the last 7 days. */
  readonly reused: Reuse
  /** Equal for identical pictures; empty if liveness was not analysed. */
  readonly digest: string
}

export interface ObservedFace {
  readonly box: Box
  readonly confidence: number
  readonly presence: number
  readonly pose: Pose
  readonly turn: number
  readonly quality: Quality
  readonly eyesClosed: { readonly left: number; readonly right: number } | null
  readonly smile: number
  readonly eyeOpenness: number
  readonly live: LiveProbabilities | null
  /** Unit vector. */
  readonly embedding: readonly number[]
  /** Unit vector of the second model; absent if the pack has none. */
  readonly secondEmbedding?: readonly number[]
  /** Unit vector of the former model, if the pack keeps one. */
  readonly formerEmbedding?: readonly number[]
  /** How well the face can be recognised here, 0...1; present with an embedding. */
  readonly frameQuality?: number
  readonly age: Pick<AgeEstimate, 'prediction' | 'uncertainty'> | null
  readonly gender: GenderEstimate | null
  readonly expressions: Readonly<Record<string, number>> | null
  /** Rigid points of the mesh, x, y flat, in units of the face's width about its centre: for the flatness test. */
  readonly points: readonly number[]
  /** Breadth of the head relative to its height, rotated back to straight: see flatness.ts. */
  readonly breadth: number
}

/** Data about a frame besides its analysis. */
export type FrameMeta = Pick<Observation, 'step' | 'time' | 'receivedAt' | 'reused' | 'digest'>
