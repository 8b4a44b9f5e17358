import { scoreOf } from '#models/rules/similarity.ts'
import { likenessOf, type TemplateModels, type Templates } from '#models/rules/templates.ts'
import type { Among } from '#server/recognition/search/face-rows.ts'
import type { FaceStore, Place } from './face-store.ts'
import { cosineThatReaches, type Face, type Hit, type SearchableFaces } from './searchable-faces.ts'

/** So many of the closest by the first embedding are compared by both. */
const rankedAgain = 64
/** Below this cosine of the first embedding (one stranger in fifty has more) no second one makes two faces one person. */
const leastFirstCosine = 0.2

interface Searched {
  readonly faces: SearchableFaces
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
 */
export async function closestFace(searched: Searched, sought: Sought): Promise<Hit | undefined> {
  const { faces, models } = searched
  const { templates, atLeast, among } = sought
  const first = Float32Array.from(templates.first)
  if (models.secondModel === undefined || templates.second === undefined) {
    return faces.closest(first, atLeast, among)
  }
  const least = Math.min(leastFirstCosine, cosineThatReaches(atLeast, models.embeddingModel))
  const near = await faces.nearest(first, least, rankedAgain, among)
  const { faceStore, place, key } = searched
  const read = await Promise.all(near.map(({ face: { faceId } }) => faceStore.get(place, key, faceId)))
  const hits = read.flatMap((face) =>
    face === undefined ? [] : (hitOf(face, templates, sought, models) ?? []),
  )
  return hits.reduce<Hit | undefined>(
    (best, hit) => (best && best.score >= hit.score ? best : hit),
    undefined,
  )
}

function hitOf(
  face: Face,
  templates: Templates,
  { atLeast }: Sought,
  models: TemplateModels,
): Hit | undefined {
  const { faceId, externalId, embedding, second } = face
  const known = second?.model === models.secondModel ? second?.embedding : undefined
  const { cosine, by } = likenessOf(templates, { first: embedding, second: known }, models)
  if (cosine < cosineThatReaches(atLeast, by)) return undefined
  return { face: { faceId, externalId }, score: scoreOf(cosine, by) }
}
