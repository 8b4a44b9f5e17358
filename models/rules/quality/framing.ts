import type { Analysis, DetectedFace, FaceAnalysis } from '#models/rules/analysis.ts'
import { meanPoint, point } from '#models/rules/face/mesh.ts'
import type { QualityComponents } from '#shared/contract/analysis/quality-components.ts'
import { component, sigmoid } from './curves.ts'

type FramingQuality = Pick<
  QualityComponents,
  | 'interEyeDistance'
  | 'headSize'
  | 'leftwardCropOfTheFaceImage'
  | 'rightwardCropOfTheFaceImage'
  | 'marginAboveOfTheFaceImage'
  | 'marginBelowOfTheFaceImage'
  | 'singleFacePresent'
>

/** A face's distances needed for the components, in picture pixels. */
export interface FaceDistances {
  /** Between the eyes' centres, as seen from the front. */
  readonly interEye: number
  /** From the point between the eyes to the chin. */
  readonly eyesToChin: number
  /** The point between the eyes. */
  readonly eyes: { readonly x: number; readonly y: number }
}

/** Measures the distances on the mesh. */
export function distancesOf({ landmarks, pose }: Pick<FaceAnalysis, 'landmarks' | 'pose'>): FaceDistances {
  const right = meanPoint(landmarks, [33, 133, 159, 145])
  const left = meanPoint(landmarks, [362, 263, 386, 374])
  const chin = point(landmarks, 152)
  const eyes = { x: (right.x + left.x) / 2, y: (right.y + left.y) / 2 }
  const turn = Math.max(0.2, Math.cos((pose.yaw * Math.PI) / 180))
  return {
    interEye: Math.max(1e-6, Math.hypot(left.x - right.x, left.y - right.y) / turn),
    eyesToChin: Math.max(1e-6, Math.hypot(chin.x - eyes.x, chin.y - eyes.y)),
    eyes,
  }
}

/**
 * Components of the position of a face in its picture. Formulas of ISO/IEC 29794-5:2025 as its reference implementation
 * OFIQ publishes them, from our mesh; s(x, c, w): the logistic curve, D: distance of the eyes, T: from the eyes to the
 * chin.
 *
 * - interEyeDistance: s(D, 70, 20), pixels, D divided by the cosine of the yaw.
 * - headSize: 2 (1 - s(|T / height - 0.45|, 0, 0.05)). Best for the framing of a passport; lower for a small face and a
 *   cut one.
 * - leftwardCrop, rightwardCrop: s(x / D, 0.9, 0.1), x from the middle of the eyes to the left or right edge of the
 *   picture.
 * - marginAbove, marginBelow: s(y / T, 1.4, 0.1) and s(y / T, 1.8, 0.1), y from the eyes to the upper or lower edge.
 * - singleFacePresent: 1 minus the area of the largest other face over that of this one.
 */
export function framingOf(face: FaceAnalysis, analysis: Analysis): FramingQuality {
  const { interEye, eyesToChin, eyes } = distancesOf(face)
  const { width, height } = analysis
  return {
    interEyeDistance: component(sigmoid(interEye, 70, 20)),
    headSize: component(2 * (1 - sigmoid(Math.abs(eyesToChin / height - 0.45), 0, 0.05))),
    leftwardCropOfTheFaceImage: component(sigmoid(eyes.x / interEye, 0.9, 0.1)),
    rightwardCropOfTheFaceImage: component(sigmoid((width - eyes.x) / interEye, 0.9, 0.1)),
    marginAboveOfTheFaceImage: component(sigmoid(eyes.y / eyesToChin, 1.4, 0.1)),
    marginBelowOfTheFaceImage: component(sigmoid((height - eyes.y) / eyesToChin, 1.8, 0.1)),
    singleFacePresent: component(1 - largestOther(face, analysis) / area(face)),
  }
}

function largestOther(face: FaceAnalysis, { faces, others }: Analysis): number {
  return Math.max(0, ...[...faces, ...others].filter((other) => other !== face).map(area))
}

function area({ box }: DetectedFace): number {
  return Math.max(1e-6, box.width * box.height)
}
