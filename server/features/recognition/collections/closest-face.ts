import { likenessOf, type TemplateModels, type Templates } from '#models/rules/templates.ts'
import {
  cosineThatReaches,
  type Face,
  type Hit,
  type Near,
  type SearchedFaces,
  scoreFound,
} from '#server/features/recognition/index/gallery.ts'
import type { Among } from '#server/features/recognition/index/threads/face-rows.ts'
import { asOf } from '#server/features/recognition/store/face.ts'
import type { FaceStore, Place } from '#server/features/recognition/store/face-store.ts'

/** How many of the closest faces by the first embedding are compared by both. */
const rankedAgain = 64
/**
 * The minimum cosine for the first embedding; one in fifty strangers exceeds it. Below it, no second embedding can make two
 * faces the same person.
 */
const leastFirstCosine = 0.2

/** A collection's searchable faces and their storage. */
export interface Searched {
  readonly faces: SearchedFaces
  readonly faceStore: FaceStore
  readonly place: Place
  readonly key: Buffer
  readonly models: TemplateModels
}

interface Sought {
  readonly templates: Templates
  readonly atLeast: number
  readonly among?: Among | undefined
}

/**
 * The collection's most similar face, if one reaches the score.
 *
 * [Note: Searched by one, ranked by two] All faces are searched by the first embedding. The closest are then read from the
 * store with their second embeddings and ranked by the combined score, so a million faces take no more memory than before.
 * A face with one embedding is ranked by its own score.
 *
 * [Note: Two embedding models while people return] Faces that only have the former model's embedding are compared by that
 * model. Scores from both models correspond to the same false match rates, so the better one counts.
 */
export async function closestFace(searched: Searched, sought: Sought): Promise<Hit | undefined> {
  const { faces, models } = searched
  const { templates, atLeast, among } = sought
  const found = await closestByModels(searched, sought)
  if (models.formerModel === undefined || faces.former === undefined) return found
  if (templates.former === undefined) throw new Error('The query has no embedding of the former model')
  const before = await faces.former.closest(Float32Array.from(templates.former), atLeast, among)
  if (before === undefined || (found !== undefined && found.score >= before.score)) return found
  return { ...before, isFormer: true }
}

/** The closest face among those with embeddings by the current models. */
async function closestByModels(searched: Searched, sought: Sought): Promise<Hit | undefined> {
  const { faces, models } = searched
  const { templates, atLeast, among } = sought
  const first = Float32Array.from(templates.first)
  if (models.secondModel === undefined || templates.second === undefined) {
    return faces.closest(first, atLeast, among)
  }
  const least = leastOfFirst(atLeast, models)
  const near = await faces.nearest(first, least, rankedAgain, among)
  const hits = await rankedByBoth(searched, near, templates, atLeast)
  return hits.reduce<Hit | undefined>(
    (best, hit) => (best && best.score >= hit.score ? best : hit),
    undefined,
  )
}

/** Filters faces by the score over all their embeddings, keeping their order. */
export async function rankedByBoth(
  { faceStore, place, key, models }: Searched,
  near: readonly Near[],
  templates: Templates,
  atLeast: number,
): Promise<Hit[]> {
  const read = await Promise.all(near.map(({ face: { faceId } }) => faceStore.get(place, key, faceId)))
  return read.flatMap((face) =>
    face === undefined ? [] : (hitOf(asOf(face, models.embeddingModel), templates, atLeast, models) ?? []),
  )
}

/** The minimum cosine for the first embedding at which the second one can still make two faces the same person. */
export function leastOfFirst(atLeast: number, { embeddingModel }: TemplateModels): number {
  return Math.min(leastFirstCosine, cosineThatReaches(atLeast, embeddingModel))
}

function hitOf(face: Face, templates: Templates, atLeast: number, models: TemplateModels): Hit | undefined {
  const { faceId, externalId, embedding, second } = face
  const known = second?.model === models.secondModel ? second?.embedding : undefined
  const { likeness, by } = likenessOf(templates, { first: embedding, second: known }, models)
  if (likeness < cosineThatReaches(atLeast, by)) return undefined
  return { face: { faceId, externalId }, score: scoreFound(likeness, by) }
}
