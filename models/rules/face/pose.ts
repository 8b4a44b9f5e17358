import type { HeadFit, Pose } from '#models/rules/analysis.ts'
import { eyeLine, landmarkCount, type Mesh } from './mesh.ts'

/** MediaPipe's canonical face: 468 vertices (x right, y up, z towards the camera) and the points that define the pose. */
export interface CanonicalFace {
  /** Flat x, y, z. */
  readonly vertices: readonly number[]
  /** Each landmark with its weight. Rigid parts weigh the most. */
  readonly basis: readonly (readonly [landmark: number, weight: number])[]
}

const degrees = 180 / Math.PI

/** The fit makes the mesh of a level face appear to look down by this angle, as measured on press photographs. */
const pitchBiasInDegrees = 3.8

/** The head pose, derived by fitting the canonical face to the mesh. Signs are from the person's point of view: see `Pose`. */
export function poseOf(mesh: Mesh, canonical: CanonicalFace): Pose {
  return poseOfFit(fitFace(mesh, canonical))
}

export function poseOfFit({ rotation: r }: HeadFit): Pose {
  return {
    yaw: Math.atan2(r[2]!, r[8]!) * degrees,
    pitch: pitchBiasInDegrees - Math.asin(Math.max(-1, Math.min(1, -r[5]!))) * degrees,
    roll: -Math.atan2(r[3]!, r[4]!) * degrees,
  }
}

const rightSide = 234
const leftSide = 454
const noseTip = 1

/**
 * The nose tip's position between the sides of the face, along the eye line: 0 in the middle, 1 at the person's left side, -1 at the right.
 * Turning a flat picture of a face hardly changes it.
 */
export function turnOf({ points }: Mesh): number {
  const angle = eyeLine(points)
  const along = (index: number) =>
    points[3 * index]! * Math.cos(angle) + points[3 * index + 1]! * Math.sin(angle)
  const right = along(rightSide)
  const left = along(leftSide)
  return (2 * along(noseTip) - right - left) / Math.max(1e-6, Math.abs(left - right))
}

/** Fits the canonical face rigidly to a mesh (Horn 1987, closed form with unit quaternions). */
export function fitFace({ points }: Mesh, canonical: CanonicalFace): HeadFit {
  const { vertices, basis } = canonical
  const from = weightedMean(basis, (i, axis) => vertices[3 * i + axis]!)
  const to = weightedMean(basis, (i, axis) => meshCoordinate(points, i, axis))
  const s = new Array<number>(9).fill(0)
  let fromSquares = 0
  let toSquares = 0
  for (const [i, weight] of basis) {
    for (let row = 0; row < 3; row++) {
      fromSquares += weight * (vertices[3 * i + row]! - from[row]!) ** 2
      toSquares += weight * (meshCoordinate(points, i, row) - to[row]!) ** 2
      for (let column = 0; column < 3; column++) {
        const a = vertices[3 * i + row]! - from[row]!
        const b = meshCoordinate(points, i, column) - to[column]!
        s[3 * row + column] = s[3 * row + column]! + weight * a * b
      }
    }
  }
  return {
    centre: { x: to[0]!, y: -to[1]!, z: -to[2]! },
    scale: Math.sqrt(toSquares / fromSquares),
    rotation: rotationOf(largestEigenvector(hornMatrix(s))),
  }
}

function meshCoordinate(points: Float32Array, landmark: number, axis: number): number {
  const value = points[3 * landmark + axis]!
  return axis === 0 ? value : -value
}

function weightedMean(basis: CanonicalFace['basis'], at: (i: number, axis: number) => number): number[] {
  const sum = [0, 0, 0]
  let total = 0
  for (const [i, weight] of basis) {
    total += weight
    for (let axis = 0; axis < 3; axis++) sum[axis] = sum[axis]! + weight * at(i, axis)
  }
  return sum.map((value) => value / total)
}

function hornMatrix(s: readonly number[]): number[][] {
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = s as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return [
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, -xx + yy - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, -xx - yy + zz],
  ]
}

/** Uses cyclic Jacobi rotations. Ten sweeps are far more than a symmetric 4 x 4 matrix needs. */
function largestEigenvector(matrix: number[][]): number[] {
  const a = matrix.map((row) => [...row])
  const vectors = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < 10; sweep++) {
    for (let p = 0; p < 3; p++) for (let q = p + 1; q < 4; q++) rotate(a, vectors, p, q)
  }
  let best = 0
  for (let i = 1; i < 4; i++) if (a[i]![i]! > a[best]![best]!) best = i
  return vectors.map((row) => row[best]!)
}

function rotate(a: number[][], vectors: number[][], p: number, q: number): void {
  const apq = a[p]![q]!
  if (Math.abs(apq) < 1e-12) return
  const theta = (a[q]![q]! - a[p]![p]!) / (2 * apq)
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const c = 1 / Math.sqrt(t * t + 1)
  const s = t * c
  for (let k = 0; k < 4; k++) mix(a[k]!, p, q, c, s)
  const rowP = [...a[p]!]
  const rowQ = [...a[q]!]
  for (let k = 0; k < 4; k++) {
    a[p]![k] = c * rowP[k]! - s * rowQ[k]!
    a[q]![k] = s * rowP[k]! + c * rowQ[k]!
  }
  for (let k = 0; k < 4; k++) mix(vectors[k]!, p, q, c, s)
}

function mix(row: number[], p: number, q: number, c: number, s: number): void {
  const rp = row[p]!
  const rq = row[q]!
  row[p] = c * rp - s * rq
  row[q] = s * rp + c * rq
}

function rotationOf([w, x, y, z]: number[]): number[] {
  const [a, b, c, d] = [w!, x!, y!, z!]
  return [
    a * a + b * b - c * c - d * d,
    2 * (b * c - a * d),
    2 * (b * d + a * c),
    2 * (b * c + a * d),
    a * a - b * b + c * c - d * d,
    2 * (c * d - a * b),
    2 * (b * d - a * c),
    2 * (c * d + a * b),
    a * a - b * b - c * c + d * d,
  ]
}

/** Points that hardly move with facial expressions: forehead, temples, cheekbones, nose and eye corners. */
export const rigidLandmarks = [
  1, 4, 5, 6, 168, 9, 10, 33, 133, 362, 263, 98, 327, 234, 454, 127, 356, 54, 284, 103, 332, 93, 323, 50, 280,
  117, 346, 205, 425,
] as const

/** The rigid points as x and y, centred and divided by the distance between the outer eye corners to remove the scale. */
export function rigidPoints({ points }: Mesh): number[] {
  if (points.length !== landmarkCount * 3) throw new RangeError('a mesh has 468 points of x, y, z')
  const xs = rigidLandmarks.map((i) => points[3 * i]!)
  const ys = rigidLandmarks.map((i) => points[3 * i + 1]!)
  const cx = xs.reduce((sum, value) => sum + value, 0) / xs.length
  const cy = ys.reduce((sum, value) => sum + value, 0) / ys.length
  const size = Math.sqrt(xs.reduce((sum, x, i) => sum + (x - cx) ** 2 + (ys[i]! - cy) ** 2, 0) / xs.length)
  return xs.flatMap((x, i) => [(x - cx) / size, (ys[i]! - cy) / size])
}
