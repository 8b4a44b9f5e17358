import { judgeLiveness, livenessOfImage } from '#models/rules/liveness/picture-liveness.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { AnalyseImage } from './analyse-image.ts'
import { foundFace } from './found-face.ts'

export type Liveness = HandlersOf<'liveness', 'detectLiveness'>

export function createLiveness(analyseImage: AnalyseImage): Liveness {
  return {
    async detectLiveness({ body, caller }) {
      const analysis = await analyseImage(body.image, livenessOfImage, caller)
      const { face } = analysis
      if (face === undefined) return { isLive: false, confidence: 0, spoofType: null, face: null }
      return { ...judgeLiveness(face), face: foundFace(face, analysis) }
    },
  }
}
