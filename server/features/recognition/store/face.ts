import type { FaceContent, FaceHead } from './face-bytes.ts'

type OfOneModel = Pick<FaceHead, 'embeddingModel' | 'newerModel'> &
  Pick<FaceContent, 'embedding' | 'second' | 'newer'>

/** Reduces a face to one model's embeddings if it has them, or returns it unchanged. [Note: Two embedding models while people return] */
export function asOf<Of extends OfOneModel>(face: Of, model: string): Omit<Of, 'newer' | 'newerModel'> {
  const { newer, newerModel, ...older } = face
  if (newer === undefined || newerModel !== model) return older
  const { second: _, ...rest } = older
  return { ...(rest as Omit<Of, 'newer' | 'newerModel'>), embeddingModel: model, ...newer }
}
