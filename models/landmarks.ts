import type { Box } from './analysis.ts'
import type { Detection } from './detector.ts'
import { type Point, type Region, regionToPicture } from './geometry.ts'
import type { Feed, Picture } from './picture.ts'
import type { Session } from './session.ts'

export const landmarkCount = 468

/** 468 points of MediaPipe's face mesh. */
export interface Mesh {
  /** x, y, z flat, in pixels of the picture; z grows away from the camera. */
  readonly points: Float32Array
  /** 0...1: whether the crop shows a face at all. */
  readonly presence: number
}

const feed: Feed = { size: 192, channels: 'RGB', scale: 1 / 255, offset: 0 }
const margin = 1.5

const rightEyeOuter = 33
const leftEyeOuter = 263

/** The mesh of one region: Kartynnik et al. 2019, "Real-time facial surface geometry". */
export async function findMesh(session: Session, picture: Picture, region: Region): Promise<Mesh> {
  const map = regionToPicture(region, feed.size)
  const output = await session.run(picture.warp(map, feed))
  const raw = output.landmarks!.data
  const points = new Float32Array(landmarkCount * 3)
  const depthScale = region.side / feed.size
  for (let i = 0; i < landmarkCount * 3; i += 3) {
    const x = raw[i]!
    const y = raw[i + 1]!
    points[i] = map[0] * x + map[1] * y + map[2]
    points[i + 1] = map[3] * x + map[4] * y + map[5]
    points[i + 2] = raw[i + 2]! * depthScale
  }
  return { points, presence: 1 / (1 + Math.exp(-output.presence!.data[0]!)) }
}

/** Where to look for the mesh of a detected face: its box with a margin, turned so that the eyes are level. */
export function regionOfDetection({ box, keypoints }: Detection): Region {
  const [rightEye, leftEye] = keypoints as [Point, Point]
  return {
    centreX: box.x + box.width / 2,
    centreY: box.y + box.height / 2,
    side: Math.max(box.width, box.height) * margin,
    rotation: Math.atan2(leftEye.y - rightEye.y, leftEye.x - rightEye.x),
  }
}

/** Where to look again, from a mesh: for a second, better pass, or in the next frame of a stream. */
export function regionOfMesh({ points }: Mesh): Region {
  const box = boundingBox(points)
  return {
    centreX: box.x + box.width / 2,
    centreY: box.y + box.height / 2,
    side: Math.max(box.width, box.height) * margin,
    rotation: eyeLine(points),
  }
}

/** Angle of the line through the outer eye corners, radians, clockwise on the screen. */
export function eyeLine(points: Float32Array): number {
  const right = point(points, rightEyeOuter)
  const left = point(points, leftEyeOuter)
  return Math.atan2(left.y - right.y, left.x - right.x)
}

export function point(points: Float32Array, index: number): Point {
  return { x: points[3 * index]!, y: points[3 * index + 1]! }
}

/** Mean of some points of a mesh. */
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
