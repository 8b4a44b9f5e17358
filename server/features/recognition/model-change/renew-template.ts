import { certainScore, searchThreshold } from '#models/rules/search-threshold.ts'
import type { Templates } from '#models/rules/templates.ts'
import {
  type Change,
  type Changeable,
  changed,
  changedFaces,
} from '#server/features/recognition/collections/collection-change.ts'
import { newestOf } from '#server/features/recognition/collections/dominant-face.ts'
import type { Hit, SearchedFaces } from '#server/features/recognition/index/gallery.ts'
import { asOf } from '#server/features/recognition/store/face.ts'
import type { KeptFace } from '#server/features/recognition/store/face-store.ts'

/**
 * Gives a face that the former model identified its embeddings by the current model, made from the same picture. Undefined
 * if it has them, or the match is uncertain. [Note: Two embedding models while people return] After a wrong embedding, its
 * person would match this face from then on. So the required score is one that a stranger hardly ever reaches, however
 * large the collection is.
 */
export async function renewal(
  opened: Changeable,
  faces: SearchedFaces,
  hit: Hit | undefined,
  templates: Templates,
): Promise<Change | undefined> {
  const { faceStore, place, models } = opened
  if (hit?.isFormer !== true || models.formerModel === undefined) return undefined
  const { score } = searchThreshold(faces.comparableCount, models.formerModel)
  if (hit.score < Math.max(certainScore, score)) return undefined
  const { faceId } = hit.face
  const key = opened.key()
  const face = await faceStore.get(place, key, faceId)
  if (face === undefined) return undefined
  const renewed = { ...face, newerModel: models.embeddingModel, newer: newestOf(templates, models) }
  return changedFaces(opened, { came: [faceId] }, faceStore.restore(place, key, renewed))
}

/** Removes the former model's embeddings from all faces that have others. Returns the number of changed faces. */
export async function settled(
  opened: Changeable,
  faceIds: readonly string[],
): Promise<Change & { readonly settledCount: number }> {
  const { faceStore, place, models } = opened
  const { embeddingModel } = models
  const key = opened.key()
  const read = await Promise.all(faceIds.map((faceId) => faceStore.get(place, key, faceId)))
  const known = read.flatMap((face) => (face?.newerModel === embeddingModel ? [face] : []))
  const writes = known.flatMap((face) => faceStore.restore(place, key, asOf(face, embeddingModel)))
  const came = known.map(({ faceId }) => faceId)
  return { ...changedFaces(opened, { came }, writes), settledCount: came.length }
}

/** The faces that only have the former model's embeddings. */
export async function unseenAmong(
  opened: Changeable,
  faceIds: readonly string[],
): Promise<readonly string[]> {
  const { faceStore, place, models } = opened
  const key = opened.key()
  const read = await Promise.all(faceIds.map((faceId) => faceStore.get(place, key, faceId)))
  const isUnseen = (face: KeptFace) => ![face.embeddingModel, face.newerModel].includes(models.embeddingModel)
  return read.flatMap((face) => (face !== undefined && isUnseen(face) ? [face.faceId] : []))
}

/** Converts the collection to the current model; undefined if a face belongs to another model. */
export async function turned(opened: Changeable): Promise<Change | undefined> {
  const { faceStore, place, models } = opened
  const { embeddingModel, secondModel } = models
  for await (const face of faceStore.heads(place)) {
    if (face.embeddingModel !== embeddingModel) return undefined
  }
  return changed(opened, { embeddingModel, secondModel })
}
