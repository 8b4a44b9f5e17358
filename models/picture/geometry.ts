/** [a, b, tx, c, d, ty]: x' = a x + b y + tx, y' = c x + d y + ty. */
export type Affine = readonly [number, number, number, number, number, number]

export interface Point {
  readonly x: number
  readonly y: number
}

/** Maps the pixels of a `size` x `size` crop onto a rotated square of the picture. */
export interface Region {
  readonly centreX: number
  readonly centreY: number
  /** The side of the square, in picture pixels. */
  readonly side: number
  /** Radians, clockwise on the screen. */
  readonly rotation: number
}

/** Maps crop pixels (0...size) to picture pixels. */
export function regionToPicture(region: Region, size: number): Affine {
  const scale = region.side / size
  const a = Math.cos(region.rotation) * scale
  const c = Math.sin(region.rotation) * scale
  const half = size / 2
  return [a, -c, region.centreX - (a - c) * half, c, a, region.centreY - (c + a) * half]
}

export function transform(m: Affine, x: number, y: number): Point {
  return { x: m[0] * x + m[1] * y + m[2], y: m[3] * x + m[4] * y + m[5] }
}

export function invert(m: Affine): Affine {
  const [a, b, tx, c, d, ty] = m
  const det = a * d - b * c
  return [d / det, -b / det, (b * ty - d * tx) / det, -c / det, a / det, (c * tx - a * ty) / det]
}

/**
 * The rotation, uniform scale and shift that map `from` to `to` with the least squared error (Umeyama 1991, in the plane and without
 * reflection). Both lists must have the same length and at least two points.
 */
export function similarity(from: readonly Point[], to: readonly Point[]): Affine {
  const f = centroid(from)
  const t = centroid(to)
  let dot = 0
  let cross = 0
  let norm = 0
  for (let i = 0; i < from.length; i++) {
    const fx = from[i]!.x - f.x
    const fy = from[i]!.y - f.y
    const tx = to[i]!.x - t.x
    const ty = to[i]!.y - t.y
    dot += fx * tx + fy * ty
    cross += fx * ty - fy * tx
    norm += fx * fx + fy * fy
  }
  const a = dot / norm
  const c = cross / norm
  return [a, -c, t.x - a * f.x + c * f.y, c, a, t.y - c * f.x - a * f.y]
}

export function centroid(points: readonly Point[]): Point {
  let x = 0
  let y = 0
  for (const point of points) {
    x += point.x
    y += point.y
  }
  return { x: x / points.length, y: y / points.length }
}

/** The overlap of two boxes as a share of their union, 0...1. */
export function overlap(
  a: { x: number; y: number; width: number; height: number },
  b: { x: number; y: number; width: number; height: number },
): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  if (width <= 0 || height <= 0) return 0
  const shared = width * height
  return shared / (a.width * a.height + b.width * b.height - shared)
}
