import { faceTriangles } from './face-triangles.ts'
import type { Raster } from './raster.ts'

/** 468 points as flat x, y, z, in pixels. z increases away from the camera. */
export type Points = Float32Array

/** How the light on each triangle changes: one factor per triangle, in the order of `faceTriangles`. */
export type Gains = Float32Array

/**
 * Moves a face by cutting each of the mesh's triangles out of `source` at `from` and painting it into `onto` at `to` with an affine map, farthest
 * first. Triangles that face away are skipped, and the face's surroundings in `onto` stay unchanged.
 */
export function paintMesh(onto: Raster, source: Raster, from: Points, to: Points, gains?: Gains): void {
  const count = faceTriangles.length / 3
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  const depth = Float32Array.from(order, (i) => depthOf(to, i))
  order.sort((a, b) => depth[b]! - depth[a]!)
  for (const triangle of order) paintTriangle(onto, source, from, to, triangle, gains?.[triangle] ?? 1)
}

function depthOf(points: Points, triangle: number): number {
  const [a, b, c] = cornersOf(triangle)
  return points[3 * a + 2]! + points[3 * b + 2]! + points[3 * c + 2]!
}

export function cornersOf(triangle: number): readonly [number, number, number] {
  const at = 3 * triangle
  return [faceTriangles[at]!, faceTriangles[at + 1]!, faceTriangles[at + 2]!]
}

/** Twice the triangle's signed area. */
function areaOf(points: Points, a: number, b: number, c: number): number {
  const [ax, ay] = [points[3 * a]!, points[3 * a + 1]!]
  return (points[3 * b]! - ax) * (points[3 * c + 1]! - ay) - (points[3 * c]! - ax) * (points[3 * b + 1]! - ay)
}

/** The tolerance for a corner's weight. It makes neighbouring triangles overlap, so that there is no seam. */
const overlap = 0.02

function paintTriangle(
  onto: Raster,
  source: Raster,
  from: Points,
  to: Points,
  triangle: number,
  gain: number,
): void {
  const [a, b, c] = cornersOf(triangle)
  const area = areaOf(to, a, b, c)
  // All triangles have the same winding, so if the area has the opposite sign, the triangle is seen from behind.
  if (Math.abs(area) < 1e-3 || area * areaOf(from, a, b, c) <= 0) return
  const [ax, ay] = [to[3 * a]!, to[3 * a + 1]!]
  const [bx, by] = [to[3 * b]!, to[3 * b + 1]!]
  const [cx, cy] = [to[3 * c]!, to[3 * c + 1]!]
  const left = Math.max(0, Math.floor(Math.min(ax, bx, cx)))
  const right = Math.min(onto.width - 1, Math.ceil(Math.max(ax, bx, cx)))
  const top = Math.max(0, Math.floor(Math.min(ay, by, cy)))
  const bottom = Math.min(onto.height - 1, Math.ceil(Math.max(ay, by, cy)))
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const v = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
      const w = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
      const u = 1 - v - w
      if (u < -overlap || v < -overlap || w < -overlap) continue
      const sx = u * from[3 * a]! + v * from[3 * b]! + w * from[3 * c]!
      const sy = u * from[3 * a + 1]! + v * from[3 * b + 1]! + w * from[3 * c + 1]!
      copyPixel(onto, 3 * (y * onto.width + x), source, sx, sy, gain)
    }
  }
}

/** Copies a pixel, interpolating between four pixels. */
export function copyPixel(
  onto: Raster,
  at: number,
  source: Raster,
  x: number,
  y: number,
  gain: number,
  share = 1,
): void {
  const { width, height, rgb } = source
  const cx = x < 0 ? 0 : x > width - 1.001 ? width - 1.001 : x
  const cy = y < 0 ? 0 : y > height - 1.001 ? height - 1.001 : y
  const x0 = Math.floor(cx)
  const y0 = Math.floor(cy)
  const fx = cx - x0
  const fy = cy - y0
  const i = 3 * (y0 * width + x0)
  const below = i + 3 * width
  for (let k = 0; k < 3; k++) {
    const upper = rgb[i + k]! * (1 - fx) + rgb[i + 3 + k]! * fx
    const lower = rgb[below + k]! * (1 - fx) + rgb[below + 3 + k]! * fx
    const value = (upper * (1 - fy) + lower * fy) * gain
    const drawn = value > 255 ? 255 : value
    onto.rgb[at + k] = share === 1 ? drawn : onto.rgb[at + k]! + share * (drawn - onto.rgb[at + k]!)
  }
}
