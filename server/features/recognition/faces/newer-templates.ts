import type { FaceContent, FaceHead } from './face-bytes.ts'

type OfOneModel = Pick<FaceHead, 'embeddingModel' | 'newerModel'> &
  Pick<FaceContent, 'embedding' | 'second' | 'newer'>

/** A face reduced to the embeddings of one model if it has them, otherwise unchanged. [Note: Two embedding models while people return] */
export function asOf<Of extends OfOneModel>(face: Of, model: string): Omit<Of, 'newer' | 'newerModel'> {
  const { newer, newerModel, ...older } = face
  if (newer === undefined || newerModel !== model) return older
  const { second: _, ...rest } = older
  return { ...(rest as Omit<Of, 'newer' | 'newerModel'>), embeddingModel: model, ...newer }
}
