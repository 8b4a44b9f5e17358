import type { HeadFit } from './analysis.ts'
import type { Point } from './geometry.ts'

/**
 * The mesh's points that stand for the 49 of the interface, in its order (the 68 points of iBUG without the jaw and
 * without the inner corners of the mouth): brows, nose, eyes, outer and inner lips; the person's right side first.
 */
export const pointLandmarks = [
  70, 63, 105, 66, 107, 336, 296, 334, 293, 300, 168, 197, 5, 4, 75, 97, 2, 326, 305, 33, 160, 158, 133, 153,
  144, 362, 385, 387, 263, 373, 380, 61, 39, 37, 0, 267, 269, 291, 405, 314, 17, 84, 181, 82, 13, 312, 317,
  14, 87,
] as const

/** The 49 points in pixels of the picture. */
export function pointsInPicture(landmarks: ArrayLike<number>): Point[] {
  return pointLandmarks.map((i) => ({ x: landmarks[3 * i]!, y: landmarks[3 * i + 1]! }))
}

/**
 * The 49 points in the frame of the head: its turn, place and size taken out, in units of the canonical face, x to
 * the right, y down and z away from the camera when the head is straight.
 */
export function pointsOfHead(
  landmarks: ArrayLike<number>,
  { centre, scale, rotation: r }: HeadFit,
): (Point & { readonly z: number })[] {
  return pointLandmarks.map((i) => {
    const x = (landmarks[3 * i]! - centre.x) / scale
    const y = -(landmarks[3 * i + 1]! - centre.y) / scale
    const z = -(landmarks[3 * i + 2]! - centre.z) / scale
    return {
      x: r[0]! * x + r[3]! * y + r[6]! * z,
      y: -(r[1]! * x + r[4]! * y + r[7]! * z),
      z: -(r[2]! * x + r[5]! * y + r[8]! * z),
    }
  })
}
