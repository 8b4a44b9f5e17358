import type { Pose } from '#models/rules/analysis.ts'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { noon } from './observations.ts'

/** A picture in a film. By default, it is a straight look in the middle. */
export interface Drawn {
  readonly yaw?: number
  readonly x?: number
  readonly width?: number
  readonly luminance?: number
  readonly place?: readonly number[]
  readonly faceless?: boolean
  /** As if a single picture were sent over and over. */
  readonly still?: boolean
  /** The face's embedding, if the server drew this picture. */
  readonly embedding?: readonly number[]
}

export const box = { x: 0.35, y: 0.3, width: 0.3, height: 0.4 }
const rim = Array.from({ length: 46 }, (_, i) => 60 + (i % 7) * 10)

/** One picture in a film. */
export function pointAt(time: number, drawn: Drawn = {}, receivedAt: number = noon + 10_000): TrailPoint {
  const { yaw = 0, x = box.x, width = box.width, luminance = 120, place = rim } = drawn
  // People never hold their heads so still that two pictures match.
  const pose: Pose = { yaw, pitch: 0, roll: drawn.still ? 0 : (time % 97) / 1000 }
  return {
    time,
    receivedAt,
    luminance,
    face: drawn.faceless
      ? null
      : { box: { ...box, x, width }, pose, ...(drawn.embedding && { embedding: drawn.embedding }) },
    place,
  }
}

/** A film with six pictures per second, one for each element in `drawn`. */
export function filmOf(drawn: readonly Drawn[], from = 0, receivedAt?: number): TrailPoint[] {
  return drawn.map((one, i) => pointAt(Math.round(from + (i * 1000) / 6), one, receivedAt))
}

/** Straight, then a half-second turn to this number of degrees, and back. */
export function turnTo(degrees: number): Drawn[] {
  const way = [0, 0.3, 0.7, 1, 1, 0.7, 0.3, 0]
  return [0, 0, ...way, 0, 0].map((share) => ({ yaw: share * degrees }))
}
