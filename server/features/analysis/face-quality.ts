import type { FaceAnalysis } from '#models/rules/analysis.ts'
import { pointsInPicture } from '#models/rules/face/points.ts'
import { qualityOf, wantedForQuality } from '#models/rules/quality/face-quality.ts'
import { isComparable } from '#models/rules/quality/poor-look.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { AnalyseImage } from './analyse-image.ts'
import { foundFace } from './found-face.ts'

/** The get-quality results for a picture's faces. Stores nothing. */
export function createFaceQuality(
  analyseImage: AnalyseImage,
): Pick<HandlersOf<'face-verification', 'getQuality'>, 'getQuality'> {
  return {
    async getQuality({ body, caller }) {
      const wanted = { ...wantedForQuality, group: true, faces: body.maxFaceCount }
      const analysis = await analyseImage(body.image, wanted, caller)
      const byConfidence = [...analysis.faces].sort((a, b) => b.confidence - a.confidence)
      return {
        faces: byConfidence.map((face) => ({
          face: foundFace(face, analysis),
          quality: qualityOf(face, analysis),
          isComparable: isComparable(face.embedding ?? []),
          pose: poseOf(face),
          landmarks2D: pointsInPicture(face.landmarks),
        })),
        unprocessedFaceCount: analysis.others.length,
      }
    },
  }
}

function poseOf({ pose: { yaw, pitch, roll } }: FaceAnalysis) {
  return { yaw, pitch, roll }
}
