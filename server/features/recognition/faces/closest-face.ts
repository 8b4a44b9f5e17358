import { likenessOf, type TemplateModels, type Templates } from '#models/rules/templates.ts'
import type { Among } from '#server/features/recognition/search/face-rows.ts'
import type { FaceStore, Place } from './face-store.ts'
import { asOf } from './newer-templates.ts'
import {
  cosineThatReaches,
  type Face,
  type Hit,
  type Near,
  type SearchedFaces,
  scoreFound,
} from './searchable-faces.ts'

/** So many of the closest by the first embedding are compared by both. */
const rankedAgain = 64
/** Below this cosine of the first embedding (one stranger in fifty has more) no second one makes two faces one person. */
const leastFirstCosine = 0.2

/** What a search is made in: the faces of a collection, ready, and where they are kept. */
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
 * The face of a collection that is most alike, where one reaches the score.
 *
 * [Note: Searched by one, ranked by two] The search of all faces stays with the first embedding. The closest of them are read
 * from the store with their second ones, and ranked by the score of both: so a million faces need no more memory than
 * before. A face that has one embedding is ranked by the score of that.
 *
 * [Note: Two embedding models while people return] Faces that have an embedding of the former model alone are compared by that
 * one. Scores of both models stand for the same false match rates, so the better one counts.
 */
export async function closestFace(searched: Searched, sought: Sought): Promise<Hit | undefined> {
  const { faces, models } = searched
  const { templates, atLeast, among } = sought
  const found = await closestByModels(searched, sought)
  if (models.formerModel === undefined || faces.former === undefined) return found
  if (templates.former === undefined) throw new Error('A face is sought without its former embedding')
  const before = await faces.former.closest(Float32Array.from(templates.former), atLeast, among)
  if (before === undefined || (found !== undefined && found.score >= before.score)) return found
  return { ...before, isFormer: true }
}

/** That among the faces which have embeddings of the models in use. */
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

/** Those of some faces that reach the score by all embeddings that they have, in the order that they come in. */
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

/** The least cosine of the first embedding with which a second one may still make two faces one person. */
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
