import type { Point } from '#models/picture/geometry.ts'
import type { HeadFit } from '#models/rules/analysis.ts'

/**
 * The mesh points for the 49 points of the interface, in its order (the 68 points of iBUG without the jaw and without the
 * inner corners of the mouth): brows, nose, eyes, outer and inner lips; the person's right side first. A point that
 * annotators place between two points of the mesh, at the ends of the nose bridge and beside the corners of the mouth, is
 * their midpoint.
 */
export const pointLandmarks: readonly (readonly number[])[] = [
  ...single(70, 63, 105, 66, 107),
  ...single(336, 296, 334, 293, 300),
  [168, 6],
  ...single(197, 5),
  [4, 1],
  ...single(75, 97, 2, 326, 305),
  ...single(33, 160, 158, 133, 153, 144),
  ...single(362, 385, 387, 263, 373, 380),
  [61],
  [39, 40],
  ...single(37, 0, 267),
  [269, 270],
  [291],
  [405, 321],
  ...single(314, 17, 84),
  [181, 91],
  ...single(82, 13, 312),
  ...single(317, 14, 87),
]

function single(...landmarks: readonly number[]): (readonly number[])[] {
  return landmarks.map((one) => [one])
}

/** The mean of some mesh points along one axis: 0 for x, 1 for y, 2 for z. */
function meanOf(landmarks: ArrayLike<number>, indices: readonly number[], axis: number): number {
  return indices.reduce((sum, i) => sum + landmarks[3 * i + axis]!, 0) / indices.length
}

/** The 49 points in picture pixels. */
export function pointsInPicture(landmarks: ArrayLike<number>): Point[] {
  return pointLandmarks.map((of) => ({ x: meanOf(landmarks, of, 0), y: meanOf(landmarks, of, 1) }))
}

/**
 * The 49 points in the head's own coordinates, i.e. without its rotation, position and size. They are in units of the canonical face, with x to the
 * right, y down and z away from the camera when the head is straight.
 */
export function pointsOfHead(
  landmarks: ArrayLike<number>,
  { centre, scale, rotation: r }: HeadFit,
): (Point & { readonly z: number })[] {
  return pointLandmarks.map((of) => {
    const x = (meanOf(landmarks, of, 0) - centre.x) / scale
    const y = -(meanOf(landmarks, of, 1) - centre.y) / scale
    const z = -(meanOf(landmarks, of, 2) - centre.z) / scale
    return {
      x: r[0]! * x + r[3]! * y + r[6]! * z,
      y: -(r[1]! * x + r[4]! * y + r[7]! * z),
      z: -(r[2]! * x + r[5]! * y + r[8]! * z),
    }
  })
}
