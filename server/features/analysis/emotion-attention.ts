import type { FaceAnalysis } from '#models/rules/analysis.ts'
import { pointsInPicture, pointsOfHead } from '#models/rules/face/points.ts'
import { isGoodView, signalsOf, wantedForSignals } from '#models/rules/signals.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { detectEmotionAttention } from '#shared/contract/analysis/emotion-attention.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import type { AnalyseImage } from './analyse-image.ts'

export type EmotionAttention = HandlersOf<'emotion-attention', 'detectEmotionAttention'>

type Landmarks = ResultOf<typeof detectEmotionAttention>['landmarks']

export function createEmotionAttention(analyseImage: AnalyseImage): EmotionAttention {
  return {
    async detectEmotionAttention({ body, caller }) {
      const { face } = await analyseImage(body.image, wantedForSignals, caller)
      const landmarks = face === undefined ? noLandmarks : landmarksOf(face)
      return { emotionsAttention: signalsOf(face), landmarks }
    },
  }
}

const noLandmarks: Landmarks = {
  scale: 0,
  translate: { x: 0, y: 0 },
  roll: 0,
  yaw: 0,
  pitch: 0,
  landmarks2D: null,
  landmarks3D: null,
  isGood: false,
}

function landmarksOf(face: FaceAnalysis): Landmarks {
  const { fit, pose, landmarks } = face
  return {
    scale: fit.scale,
    translate: { x: fit.centre.x, y: fit.centre.y },
    roll: pose.roll,
    yaw: pose.yaw,
    pitch: pose.pitch,
    landmarks2D: pointsInPicture(landmarks),
    landmarks3D: pointsOfHead(landmarks, fit),
    isGood: isGoodView(face),
  }
}
