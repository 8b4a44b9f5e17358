import type { Analysis, FaceAnalysis } from '#models/rules/analysis.ts'
import type { EmbeddingModel } from '#models/rules/embedding.ts'
import { foundFace } from '#server/analysis/found-face.ts'
import type { Face } from '#shared/contract/analysis/image.ts'
import type { NewFace } from './faces/face-store.ts'

/** The face of a picture that counts, ready to be sought or kept. */
export interface DominantFace {
  readonly face: Face
  readonly analysis: FaceAnalysis
  /** Unit vector. */
  readonly embedding: Float32Array
  /** How many other faces were found. */
  readonly unprocessedFaceCount: number
  as(externalId: string | null, embeddingModel: EmbeddingModel): NewFace
}

/** What is to be wanted of an analysis that recognises: every face is looked for, so that the others are counted. */
export const wantedToRecognise = { embedding: true, group: true } as const

/** The dominant face of an analysis, or undefined where there is none. */
export function dominantFace(analysis: Analysis): DominantFace | undefined {
  const { face, others } = analysis
  const embedding = face?.embedding
  if (face === undefined || embedding === undefined) return undefined
  return {
    face: foundFace(face, analysis),
    analysis: face,
    embedding,
    unprocessedFaceCount: others.length,
    as: (externalId, embeddingModel) => ({ externalId, embeddingModel, embedding }),
  }
}
