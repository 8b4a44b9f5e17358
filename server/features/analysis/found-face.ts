import type { Analysis, DetectedFace, FaceAnalysis } from '#models/rules/analysis.ts'
import { faceBox } from '#models/rules/face/face-box.ts'
import type { Face } from '#shared/contract/analysis/image.ts'

/** A face in the interface's format: in integer pixels, with its box clipped to the picture. */
export function foundFace(
  face: DetectedFace | FaceAnalysis,
  { width, height }: Pick<Analysis, 'width' | 'height'>,
): Face {
  const box = faceBox(face)
  const x = within(box.x, width)
  const y = within(box.y, height)
  return {
    confidence: Math.max(0, Math.min(1, face.confidence)),
    boundingBox: {
      x,
      y,
      width: within(box.x + box.width, width) - x,
      height: within(box.y + box.height, height) - y,
    },
  }
}

function within(value: number, limit: number): number {
  return Math.max(0, Math.min(limit, Math.round(value)))
}
