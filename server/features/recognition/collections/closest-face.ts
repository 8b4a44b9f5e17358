import { likenessOf, type TemplateModels, type Templates } from '#models/rules/templates.ts'
import {
  closestByModel,
  cosineThatReaches,
  type FaceMatch,
  type Gallery,
  matchingScore,
  type NearFace,
} from '#server/features/recognition/index/gallery.ts'
import type { PersonFilter } from '#server/features/recognition/index/person-filter.ts'
import { type Face, reduceToModel } from '#server/features/recognition/store/face.ts'

/** How many of the closest faces by the first embedding are compared by both. */
const rankedAgain = 64
/**
 * The minimum cosine for the first embedding; one in fifty strangers exceeds it. Below it, no second embedding can make two
 * faces the same person.
 */
const leastFirstCosine = 0.2

/** A collection's gallery, and its faces with all their embeddings. */
export interface TemplateGallery {
  readonly gallery: Gallery
  readonly models: TemplateModels
  get(faceId: string): Promise<Face | undefined>
}

interface ClosestQuery {
  readonly templates: Templates
  readonly atLeast: number
  readonly filter?: PersonFilter | undefined
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
export async function closestFace(
  faces: TemplateGallery,
  query: ClosestQuery,
): Promise<FaceMatch | undefined> {
  const { gallery, models } = faces
  const { templates, atLeast, filter } = query
  const match = await closestByModels(faces, query)
  if (models.formerModel === undefined || gallery.former === undefined) return match
  if (templates.former === undefined) throw new Error('The query has no embedding of the former model')
  const before = await closestByModel(gallery.former, models.formerModel, templates.former, atLeast, filter)
  if (before === undefined || (match !== undefined && match.score >= before.score)) return match
  return { ...before, isFormer: true }
}

/** The closest face among those with embeddings by the current models. */
async function closestByModels(
  faces: TemplateGallery,
  { templates, atLeast, filter }: ClosestQuery,
): Promise<FaceMatch | undefined> {
  const { gallery, models } = faces
  if (models.secondModel === undefined || templates.second === undefined) {
    return closestByModel(gallery, models.embeddingModel, templates.first, atLeast, filter)
  }
  const first = Float32Array.from(templates.first)
  const near = await gallery.nearest(first, leastByFirst(atLeast, models), rankedAgain, filter)
  const matches = await matchesByBoth(faces, near, templates, atLeast)
  return matches.reduce<FaceMatch | undefined>(
    (best, match) => (best && best.score >= match.score ? best : match),
    undefined,
  )
}

/** Filters faces by the score over all their embeddings, keeping their order. */
export async function matchesByBoth(
  { get, models }: TemplateGallery,
  near: readonly NearFace[],
  templates: Templates,
  atLeast: number,
): Promise<FaceMatch[]> {
  const read = await Promise.all(near.map(({ face: { faceId } }) => get(faceId)))
  return read.flatMap((face) =>
    face === undefined
      ? []
      : (matchByBoth(reduceToModel(face, models.embeddingModel), templates, atLeast, models) ?? []),
  )
}

/** The minimum cosine for the first embedding at which the second one can still make two faces the same person. */
export function leastByFirst(atLeast: number, { embeddingModel }: TemplateModels): number {
  return Math.min(leastFirstCosine, cosineThatReaches(atLeast, embeddingModel))
}

function matchByBoth(
  face: Face,
  templates: Templates,
  atLeast: number,
  models: TemplateModels,
): FaceMatch | undefined {
  const { faceId, externalId, embedding, second } = face
  const known = second?.model === models.secondModel ? second?.embedding : undefined
  const { likeness, by } = likenessOf(templates, { first: embedding, second: known }, models)
  if (likeness < cosineThatReaches(atLeast, by)) return undefined
  return { face: { faceId, externalId }, score: matchingScore(likeness, by) }
}
