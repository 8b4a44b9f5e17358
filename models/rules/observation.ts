import type { AgeEstimate, Box, GenderEstimate, LiveProbabilities, Pose, Quality } from './analysis.ts'

/** `same`: exactly the same picture, possibly re-encoded. `similar`: the same light on the same scene. `none`: neither of these. */
export type Reuse = 'none' | 'similar' | 'same'

/** The server's analysis of a submitted frame: everything that the verdict may read, but no picture. */
export interface Observation {
  /** 0 before the first action, and k during (and after) the k-th action. */
  readonly step: number
  /** Milliseconds since the camera started, as reported by the device, so it is only a hint. */
  readonly time: number
  /** Milliseconds since 1970, by the server's clock. */
  readonly receivedAt: number
  readonly width: number
  readonly height: number
  readonly luminance: number
  /** The number of faces that are at least 40 % as wide as the dominant one, including itself. 0 if there is no face. */
  readonly faceCount: number
  /** The number of faces of any size, as counted by `detect`. Only set for the one picture of a visit in which all faces were searched for. */
  readonly inView?: number
  readonly face: ObservedFace | null
  /** The comparison with the same request's straightest picture. Absent if they were not compared. */
  readonly turned?: TurnedPair
  /** The picture's rim: see scene-signature.ts. Empty if liveness was not analysed. */
  readonly rim: readonly number[]
  /** The result of comparing the picture with other sessions from the last 7 days. */
  readonly reused: Reuse
  /** The same for identical pictures. Empty if liveness was not analysed. */
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
  /** A unit vector. */
  readonly embedding: readonly number[]
  /** A unit vector from the second model. Absent if the pack has no second model. */
  readonly secondEmbedding?: readonly number[]
  /** A unit vector from the former model, if the pack keeps one. */
  readonly formerEmbedding?: readonly number[]
  /** How well the face can be recognised in this frame, 0...1. Present if there is an embedding. */
  readonly frameQuality?: number
  readonly age: Pick<AgeEstimate, 'prediction' | 'uncertainty'> | null
  readonly gender: GenderEstimate | null
  readonly expressions: Readonly<Record<string, number>> | null
  /** The mesh's rigid points as flat x, y, in units of the face's width about its centre, used for the flatness test. */
  readonly points: readonly number[]
  /** The head's breadth relative to its height, rotated back to straight: see flatness.ts. */
  readonly breadth: number
}

/** A comparison between a straight and a turned picture from the same request. It contains only numbers and is stored with the turned picture. */
export interface TurnedPair {
  /** The angle between the two poses. */
  readonly degrees: number
  /** How much the light on the skin varies: see light-change.ts. Null if too little skin is visible in both pictures. */
  readonly light: number | null
  /** See rim-change.ts. Null if the surroundings are too even or too little of them is visible. */
  readonly rim: number | null
}

/** A frame's data apart from its analysis. */
export type FrameMeta = Pick<Observation, 'step' | 'time' | 'receivedAt' | 'reused' | 'digest'>
