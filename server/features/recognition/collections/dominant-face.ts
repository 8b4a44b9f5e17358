import type { Analysis, FaceAnalysis } from '#models/rules/analysis.ts'
import { type FaceQuality, qualityOf } from '#models/rules/quality/face-quality.ts'
import { isComparable } from '#models/rules/quality/poor-look.ts'
import type { TemplateModels, Templates } from '#models/rules/templates.ts'
import { foundFace } from '#server/features/analysis/analysis.ts'
import type { NewFace } from '#server/features/recognition/store/face.ts'
import type { NewerTemplates } from '#server/features/recognition/store/face-bytes.ts'
import type { Face } from '#shared/contract/analysis/image.ts'

/** A picture's relevant face, ready for search or enrolment. */
export interface DominantFace {
  readonly face: Face
  readonly analysis: FaceAnalysis
  readonly templates: Templates
  /** False if the picture shows too little of the person. The face then matches no other. */
  readonly isComparable: boolean
  /** The number of other faces in the picture. */
  readonly unprocessedFaceCount: number
  /** The picture's quality; valid if `wantedForQuality` was requested. */
  quality(): FaceQuality
  /** The face for a collection with these models: it has both embeddings if the collection keeps a former model. */
  as(externalId: string | null, models: TemplateModels): NewFace
}

/** The analysis stages that recognition needs: all faces, so that the others are counted. */
export const wantedToRecognise = { embedding: true, group: true } as const

/** An analysis's dominant face, or undefined if there is none. */
export function dominantFace(analysis: Analysis): DominantFace | undefined {
  const { face, others } = analysis
  const embedding = face?.embedding
  if (face === undefined || embedding === undefined) return undefined
  const templates = { first: embedding, second: face.secondEmbedding, former: face.formerEmbedding }
  return {
    face: foundFace(face, analysis),
    analysis: face,
    templates,
    isComparable: isComparable(embedding),
    unprocessedFaceCount: others.length,
    quality: () => qualityOf(face, analysis),
    as: (externalId, models) => makeFace(externalId, templates, models),
  }
}

/** A face with the given embeddings, ready to be stored. */
export function makeFace(externalId: string | null, templates: Templates, models: TemplateModels): NewFace {
  const { embeddingModel, formerModel } = models
  const made = newestTemplates(templates, models)
  if (formerModel === undefined) return { externalId, embeddingModel, ...made }
  if (templates.former === undefined) throw new Error('The face has no embedding of the former model')
  const embedding = Float32Array.from(templates.former)
  return { externalId, embeddingModel: formerModel, embedding, newerModel: embeddingModel, newer: made }
}

/** A face's embeddings by the current models, ready to be stored. */
export function newestTemplates(
  { first, second }: Templates,
  { secondModel }: TemplateModels,
): NewerTemplates {
  const template = second && secondModel && { model: secondModel, embedding: Float32Array.from(second) }
  return { embedding: Float32Array.from(first), ...(template && { second: template }) }
}
