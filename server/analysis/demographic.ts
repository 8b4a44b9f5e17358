import type { FaceAnalysis } from '#models/analysis.ts'
import type { AccountCaller } from '#server/accounts/caller.ts'
import type { genders, getAge, getGender } from '#shared/contract/demographic.ts'
import type { Handler } from '#shared/endpoint.ts'
import type { AnalyseImage } from './analyse-image.ts'
import { foundFace } from './found-face.ts'

/** The demographic role: ages and genders of the dominant faces. */
export interface Demographics {
  readonly getAge: Handler<typeof getAge, AccountCaller>
  readonly getGender: Handler<typeof getGender, AccountCaller>
}

export function createDemographics(analyseImage: AnalyseImage): Demographics {
  const wanted = (faces: number) => ({ group: true, demographic: true, faces })
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
        faces: analysis.faces.map((face) => ({ face: foundFace(face, analysis), gender: genderOf(face) })),
        unprocessedFaceCount: analysis.others.length,
      }
    },
  }
}

function ageOf({ age }: FaceAnalysis) {
  return { prediction: age?.prediction ?? null, uncertainty: age?.uncertainty ?? null }
}

export function genderOf({ gender }: Pick<FaceAnalysis, 'gender'>): (typeof genders)[number] {
  return (gender?.male ?? 0) > 0.5 ? 'Male' : 'Female'
}
