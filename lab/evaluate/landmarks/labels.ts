import type { Row } from '#lab/evaluate/csv.ts'
import type { Point } from '../../../models/picture/geometry.ts'

/** The 49 points of the interface among the 68 of iBUG: without the jaw and without the inner corners of the mouth. */
const ofInterface = Array.from({ length: 68 }, (_, i) => i).filter((i) => i >= 17 && i !== 60 && i !== 64)
const rightEyeOuter = 36
const leftEyeOuter = 45

/** A face with its points as labelled by people (or another program), in pixels of the picture. */
export interface LabelledFace {
  /** The 49 points, in the interface's order. */
  readonly points: readonly Point[]
  readonly rightEyeOuter: Point
  readonly leftEyeOuter: Point
}

/** The face of a row with x0, y0 to x67, y67; undefined if one of them is missing. */
export function labelledFace(row: Row): LabelledFace | undefined {
  const point = (i: number) => ({ x: Number(row[`x${i}`] || NaN), y: Number(row[`y${i}`] || NaN) })
  const points = ofInterface.map(point)
  if (points.some(({ x, y }) => !Number.isFinite(x + y))) return undefined
  return { points, rightEyeOuter: point(rightEyeOuter), leftEyeOuter: point(leftEyeOuter) }
}

/** Pixels between the outer corners of the eyes. */
export function eyeDistance({ rightEyeOuter: right, leftEyeOuter: left }: LabelledFace): number {
  return Math.hypot(left.x - right.x, left.y - right.y)
}

/** Degrees by which the line of the eyes is tilted to the person's own left. */
export function eyeTilt({ rightEyeOuter: right, leftEyeOuter: left }: LabelledFace): number {
  return (Math.atan2(left.y - right.y, left.x - right.x) * 180) / Math.PI
}

/** Mean distance of the points, divided by that of the outer corners of the labelled eyes. */
export function meanError(points: readonly Point[], face: LabelledFace): number {
  const distances = points.map(({ x, y }, i) => Math.hypot(x - face.points[i]!.x, y - face.points[i]!.y))
  return distances.reduce((total, one) => total + one, 0) / distances.length / eyeDistance(face)
}
