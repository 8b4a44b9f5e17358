import type { Pack } from '#models/rules/packs.ts'
import type { Outbound } from '#server/platform/http/outbound/outbound.ts'
import type { DecodeBase64 } from '#server/platform/http/requests/base64/base64-thread.ts'
import { type AnalyseImage, createAnalyseImage } from './analyse-image.ts'
import type { AnalysisService } from './analysis-service.ts'
import { createDemographics, type Demographics } from './demographic.ts'
import { createEmotionAttention, type EmotionAttention } from './emotion-attention.ts'
import { createFaceVerification, type FaceVerification } from './face-verification.ts'
import { createReadImage } from './image-source.ts'
import { createLiveness, type Liveness } from './liveness.ts'

export type { AnalyseImage } from './analyse-image.ts'
export type { AnalysisService } from './analysis-service.ts'
export { foundFace } from './found-face.ts'
export { createAnalysisPool, queuePlacesOf } from './pool.ts'
export { startWorkerThread } from './worker-thread.ts'

/** The roles that analyse single pictures, and the picture reader for other features. */
export interface ImageAnalysis {
  readonly analyseImage: AnalyseImage
  readonly demographics: Demographics
  readonly faceVerification: FaceVerification
  readonly emotionAttention: EmotionAttention
  readonly liveness: Liveness
}

interface Dependencies {
  readonly analysis: AnalysisService
  /** Determines which networks are available for the analysis. */
  readonly pack: Pack
  readonly outbound: Pick<Outbound, 'get'>
  /** Decodes pictures; runs in the event loop if absent. */
  readonly decodeBase64?: DecodeBase64 | undefined
}

export function createImageAnalysis({ analysis, pack, outbound, decodeBase64 }: Dependencies): ImageAnalysis {
  const analyseImage = createAnalyseImage(createReadImage({ outbound, decodeBase64 }), analysis)
  return {
    analyseImage,
    demographics: createDemographics(analyseImage),
    faceVerification: createFaceVerification(analyseImage, pack),
    emotionAttention: createEmotionAttention(analyseImage),
    liveness: createLiveness(analyseImage),
  }
}
