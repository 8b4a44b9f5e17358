import type { Analysis, FaceAnalysis } from '#models/rules/analysis.ts'
import { type FaceQuality, qualityOf } from '#models/rules/quality/face-quality.ts'
import { isComparable } from '#models/rules/quality/poor-look.ts'
import type { TemplateModels, Templates } from '#models/rules/templates.ts'
import { foundFace } from '#server/features/analysis/analysis.ts'
import type { Face } from '#shared/contract/analysis/image.ts'
import type { NewerTemplates } from './faces/face-bytes.ts'
import type { NewFace } from './faces/face-store.ts'

/** The face of a picture that counts, ready to be sought or kept. */
export interface DominantFace {
  readonly face: Face
  readonly analysis: FaceAnalysis
  readonly templates: Templates
  /** False if the picture shows too little of the person: then the face matches no other. */
  readonly isComparable: boolean
  /** How many other faces were found. */
  readonly unprocessedFaceCount: number
  /** How good its picture is; right where `wantedForQuality` was wanted. */
  quality(): FaceQuality
  /** As a face of a collection that keeps these models: with both embeddings where it keeps a former one. */
  as(externalId: string | null, models: TemplateModels): NewFace
}

/** What is to be wanted of an analysis that recognises: every face is looked for, so that the others are counted. */
export const wantedToRecognise = { embedding: true, group: true } as const

/** The dominant face of an analysis, or undefined where there is none. */
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
    as: (externalId, models) => newFaceOf(externalId, templates, models),
  }
}

/** What was made of a face, ready to be kept. */
export function newFaceOf(externalId: string | null, templates: Templates, models: TemplateModels): NewFace {
  const { embeddingModel, formerModel } = models
  const made = newestOf(templates, models)
  if (formerModel === undefined) return { externalId, embeddingModel, ...made }
  if (templates.former === undefined)
    throw new Error('A face comes without the embedding of the former model')
  const embedding = Float32Array.from(templates.former)
  return { externalId, embeddingModel: formerModel, embedding, newerModel: embeddingModel, newer: made }
}

/** What the models in use made of a face, ready to be kept. */
export function newestOf({ first, second }: Templates, { secondModel }: TemplateModels): NewerTemplates {
  const template = second && secondModel && { model: secondModel, embedding: Float32Array.from(second) }
  return { embedding: Float32Array.from(first), ...(template && { second: template }) }
}
