import type { Point } from '#models/picture/geometry.ts'
import type { Box } from '#models/rules/analysis.ts'

export const landmarkCount = 468

/** The 468 points of MediaPipe's face mesh. */
export interface Mesh {
  /** Flat x, y, z, in picture pixels. z increases away from the camera. */
  readonly points: Float32Array
  /** The confidence that the crop shows a face at all, 0...1. */
  readonly presence: number
}

const rightEyeOuter = 33
const leftEyeOuter = 263

/** The angle of the line through the outer eye corners, in radians, clockwise on the screen. */
export function eyeLine(points: Float32Array): number {
  const right = point(points, rightEyeOuter)
  const left = point(points, leftEyeOuter)
  return Math.atan2(left.y - right.y, left.x - right.x)
}

export function point(points: Float32Array, index: number): Point {
  return { x: points[3 * index]!, y: points[3 * index + 1]! }
}

/** The mean of some mesh points. */
export function meanPoint(points: Float32Array, indices: readonly number[]): Point {
  let x = 0
  let y = 0
  for (const index of indices) {
    x += points[3 * index]!
    y += points[3 * index + 1]!
  }
  return { x: x / indices.length, y: y / indices.length }
}

export function boundingBox(points: Float32Array): Box {
  let left = Number.POSITIVE_INFINITY
  let top = Number.POSITIVE_INFINITY
  let right = Number.NEGATIVE_INFINITY
  let bottom = Number.NEGATIVE_INFINITY
  for (let i = 0; i < points.length; i += 3) {
    left = Math.min(left, points[i]!)
    right = Math.max(right, points[i]!)
    top = Math.min(top, points[i + 1]!)
    bottom = Math.max(bottom, points[i + 1]!)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}
