import type { FaceAnalysis, GenderEstimate } from '#models/rules/analysis.ts'
import { genderOf } from '#models/rules/gender.ts'
import type { HandlersOf } from '#server/features/callers/callers.ts'
import type { AnalyseImage } from './analyse-image.ts'
import { foundFace } from './found-face.ts'

/** The demographic role: the dominant faces' ages and genders. */
export type Demographics = HandlersOf<'demographic', 'getAge' | 'getGender'>

export function createDemographics(analyseImage: AnalyseImage): Demographics {
  const wanted = (faces: number) => ({ group: true, demographic: 'full' as const, faces })
  return {
    async getAge({ body, caller }) {
      const analysis = await analyseImage(body.image, wanted(body.maxFaceCount), caller)
      return {
        faces: analysis.faces.map((face) => ({ face: foundFace(face, analysis), age: ageOf(face) })),
        unprocessedFaceCount: analysis.others.length,
      }
    },
    async getGender({ body, caller }) {
      const analysis = await analyseImage(body.image, wanted(body.maxFaceCount), caller)
      return {
        faces: analysis.faces.map(({ gender = unread, ...face }) => ({
          face: foundFace(face, analysis),
          gender: genderOf(gender),
          genderConfidence: gender.confidence,
        })),
        unprocessedFaceCount: analysis.others.length,
      }
    },
  }
}

const unread: GenderEstimate = { male: 0, confidence: 0.5 }

function ageOf({ age }: FaceAnalysis) {
  return { prediction: age?.prediction ?? null, uncertainty: age?.uncertainty ?? null }
}
