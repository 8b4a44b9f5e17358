import { isStraight } from '#models/rules/fair-frame.ts'
import { median } from '#models/rules/median.ts'
import type { Observation, ObservedFace } from '#models/rules/observation.ts'

/** The person's face at rest, as seen by the server. All movements are measured relative to it. */
export interface NeutralFace {
  readonly yaw: number
  readonly pitch: number
  readonly turn: number
  readonly happy: number
  readonly smile: number
  readonly eyeOpenness: number
  /** The face's width relative to the shorter side of the picture. */
  readonly size: number
  readonly points: readonly number[]
  readonly breadth: number
  readonly embedding: readonly number[]
}

/**
 * Derives the neutral face from some frames: the median of each measure, and the points and embedding of the frame with the median turn.
 * Undefined if no frame shows a straight face.
 */
export function neutralOf(observations: readonly Observation[]): NeutralFace | undefined {
  const seen = observations.filter(({ face }) => face !== null && isStraight(face.pose))
  const byYaw = [...seen].sort((a, b) => a.face!.pose.yaw - b.face!.pose.yaw)
  const middlemost = byYaw[Math.floor((byYaw.length - 1) / 2)]
  if (middlemost === undefined) return undefined
  const face = middlemost.face!
  const typical = (read: (face: ObservedFace) => number) => median(seen.map(({ face }) => read(face!)))!
  return {
    yaw: typical((face) => face.pose.yaw),
    pitch: typical((face) => face.pose.pitch),
    turn: typical((face) => face.turn),
    happy: typical((face) => face.expressions?.happy ?? 0),
    smile: typical((face) => face.smile),
    eyeOpenness: typical((face) => face.eyeOpenness),
    size: median(seen.map(sizeOf))!,
    points: face.points,
    breadth: typical((face) => face.breadth),
    embedding: face.embedding,
  }
}

/** The face's width relative to the shorter side of the picture, or 0 if there is no face. */
export function sizeOf({ face, width, height }: Observation): number {
  return (face?.box.width ?? 0) / Math.min(width, height)
}
