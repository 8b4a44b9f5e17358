import type { Row } from '#lab/csv.ts'
import type { Point } from '../../../models/picture/geometry.ts'

/** The API's 49 points among iBUG's 68, i.e. without the jaw and the inner corners of the mouth. */
const ofInterface = Array.from({ length: 68 }, (_, i) => i).filter((i) => i >= 17 && i !== 60 && i !== 64)
const rightEyeOuter = 36
const leftEyeOuter = 45

/** A face with points labelled by people (or by another program), in picture pixels. */
export interface LabelledFace {
  /** The 49 points in the API's order. */
  readonly points: readonly Point[]
  readonly rightEyeOuter: Point
  readonly leftEyeOuter: Point
}

/** Reads the face from a row with x0, y0 to x67, y67. Undefined if any of them is missing. */
export function labelledFace(row: Row): LabelledFace | undefined {
  const point = (i: number) => ({ x: Number(row[`x${i}`] || NaN), y: Number(row[`y${i}`] || NaN) })
  const points = ofInterface.map(point)
  if (points.some(({ x, y }) => !Number.isFinite(x + y))) return undefined
  return { points, rightEyeOuter: point(rightEyeOuter), leftEyeOuter: point(leftEyeOuter) }
}

/** The distance between the outer eye corners, in pixels. */
export function eyeDistance({ rightEyeOuter: right, leftEyeOuter: left }: LabelledFace): number {
  return Math.hypot(left.x - right.x, left.y - right.y)
}

/** How far the eye line is tilted towards the person's own left, in degrees. */
export function eyeTilt({ rightEyeOuter: right, leftEyeOuter: left }: LabelledFace): number {
  return (Math.atan2(left.y - right.y, left.x - right.x) * 180) / Math.PI
}

/** The mean distance between the points, divided by the distance between the labelled outer eye corners. */
export function meanError(points: readonly Point[], face: LabelledFace): number {
  const distances = points.map(({ x, y }, i) => Math.hypot(x - face.points[i]!.x, y - face.points[i]!.y))
  return distances.reduce((total, one) => total + one, 0) / distances.length / eyeDistance(face)
}
