import type { HeadFit } from '#models/rules/analysis.ts'
import { rigidLandmarks } from '#models/rules/face/pose.ts'

/**
 * How poorly a flat picture explains the movement from one set of face points to another: the root mean square residual
 * of the best homography, in the points' units (see `rigidPoints`). Points on a plane leave about the noise of the mesh
 * whatever the camera does (Hartley & Zisserman 2004, section 4); a turned head leaves much more.
 */
export function flatnessResidual(from: readonly number[], to: readonly number[]): number {
  const h = homography(from, to)
  let squares = 0
  for (let i = 0; i < from.length; i += 2) {
    const x = from[i]!
    const y = from[i + 1]!
    const w = h[6]! * x + h[7]! * y + 1
    const u = (h[0]! * x + h[1]! * y + h[2]!) / w
    const v = (h[3]! * x + h[4]! * y + h[5]!) / w
    squares += (u - to[i]!) ** 2 + (v - to[i + 1]!) ** 2
  }
  return Math.sqrt((2 * squares) / from.length)
}

/** Solves the linearised equations by least squares, then refines the result twice by weighting each pair with its denominator. */
function homography(from: readonly number[], to: readonly number[]): number[] {
  let h = [1, 0, 0, 0, 1, 0, 0, 0]
  for (let round = 0; round < 3; round++) h = solveNormal(from, to, h)
  return h
}

function solveNormal(from: readonly number[], to: readonly number[], previous: readonly number[]): number[] {
  const a = Array.from({ length: 8 }, () => new Array<number>(9).fill(0))
  for (let i = 0; i < from.length; i += 2) {
    const x = from[i]!
    const y = from[i + 1]!
    const weight = 1 / (previous[6]! * x + previous[7]! * y + 1) ** 2
    accumulate(a, [x, y, 1, 0, 0, 0, -to[i]! * x, -to[i]! * y], to[i]!, weight)
    accumulate(a, [0, 0, 0, x, y, 1, -to[i + 1]! * x, -to[i + 1]! * y], to[i + 1]!, weight)
  }
  return eliminate(a)
}

function accumulate(a: number[][], row: readonly number[], value: number, weight: number): void {
  for (let i = 0; i < 8; i++) {
    for (let j = 0; j < 8; j++) a[i]![j] = a[i]![j]! + weight * row[i]! * row[j]!
    a[i]![8] = a[i]![8]! + weight * row[i]! * value
  }
}

function eliminate(a: number[][]): number[] {
  const n = a.length
  for (let p = 0; p < n; p++) {
    let best = p
    for (let r = p + 1; r < n; r++) if (Math.abs(a[r]![p]!) > Math.abs(a[best]![p]!)) best = r
    ;[a[p], a[best]] = [a[best]!, a[p]!]
    const pivot = a[p]![p]! || 1e-12
    for (let r = 0; r < n; r++) {
      if (r === p) continue
      const factor = a[r]![p]! / pivot
      for (let c = p; c <= n; c++) a[r]![c] = a[r]![c]! - factor * a[p]![c]!
    }
  }
  return a.map((row, i) => row[n]! / (row[i]! || 1e-12))
}

/**
 * Breadth of a head relative to its height: the spread of the rigid points across it over the spread along it, with the
 * head's rotation removed (about 1.6; people differ by 6 %). A turning head keeps it within 2 % or grows by up to 15 %.
 * In a picture that is turned, the network attributes some of the foreshortening to a turn and the rest to a narrow head.
 * @param landmarks 468 points of x, y, z in pixels, flat
 */
export function breadthOf(landmarks: ArrayLike<number>, { rotation: r }: HeadFit): number {
  const across: number[] = []
  const along: number[] = []
  for (const i of rigidLandmarks) {
    const x = landmarks[3 * i]!
    const y = -landmarks[3 * i + 1]!
    const z = -landmarks[3 * i + 2]!
    across.push(r[0]! * x + r[3]! * y + r[6]! * z)
    along.push(r[1]! * x + r[4]! * y + r[7]! * z)
  }
  return spreadOf(across) / Math.max(1e-6, spreadOf(along))
}

function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
}
