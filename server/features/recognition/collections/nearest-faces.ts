import type { EmbeddingModel } from '#models/rules/embedding.ts'
import { matchScore } from '#models/rules/search-threshold.ts'
import type { Templates } from '#models/rules/templates.ts'
import {
  cosineThatReaches,
  type Hit,
  type SearchedFaces,
  scoreFound,
} from '#server/features/recognition/index/gallery.ts'
import { canonicalIdentity } from '#shared/identity/identity-text.ts'
import { leastOfFirst, rankedByBoth, type Searched } from './closest-face.ts'

/** How many of the closest faces by the first embedding are compared by both, if faces have two. */
const rankedAgain = 1024

interface Sought {
  readonly templates: Templates
  readonly atLeast: number
  /** The maximum number of results. */
  readonly most: number
  /** True to keep only each external ID's best face. Faces without an external ID all count. */
  readonly perPerson: boolean
}

/** The result of searching for several faces. */
export interface Nearest {
  /** Most similar first; ties are sorted by faceId. */
  readonly hits: readonly Hit[]
  /** False if there were more near faces than are compared by both embeddings, or if the index may have missed some. */
  readonly isExact: boolean
  /** How many faces were searched. */
  readonly searchedCount: number
}

type Found = Pick<Nearest, 'hits' | 'isExact'>

/**
 * A collection's most similar faces that reach the score, identical to those found by a full scan. The former model's faces
 * are compared by that model, as in `closestFace`, and all faces are ranked by score.
 * [Note: Searched by one, ranked by two]
 */
export async function nearestFaces(searched: Searched, sought: Sought): Promise<Nearest> {
  const newest = await nearestByModels(searched, sought)
  const former = await nearestOfFormer(searched, sought)
  const isExact = newest.isExact && former.isExact && !isBelowBounds(searched, sought)
  if (!isExact) searched.faces.bounds?.tellInexact()
  const hits = mostAlike([...newest.hits, ...former.hits], sought)
  return { hits, isExact, searchedCount: searched.faces.comparableCount }
}

function isBelowBounds({ faces }: Searched, { atLeast }: Sought): boolean {
  return faces.bounds !== undefined && atLeast < matchScore
}

/** Merges the best results from several searches, by the same rules as a single search. */
export function mostAlike<Of extends Hit>(
  hits: readonly Of[],
  { most, perPerson }: Pick<Sought, 'most' | 'perPerson'>,
): readonly Of[] {
  const ranked = [...hits].sort((a, b) => b.score - a.score || order(a.face.faceId, b.face.faceId))
  return (perPerson ? bestOfEach(ranked) : ranked).slice(0, most)
}

function order(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function bestOfEach<Of extends Hit>(ranked: readonly Of[]): Of[] {
  const persons = new Set<string>()
  return ranked.filter(({ face: { externalId } }) => {
    if (externalId === null) return true
    const person = canonicalIdentity(externalId)
    const isFirst = !persons.has(person)
    persons.add(person)
    return isFirst
  })
}

async function nearestByModels(searched: Searched, sought: Sought): Promise<Found> {
  const { faces, models } = searched
  const { templates, atLeast } = sought
  if (models.secondModel === undefined || templates.second === undefined) {
    return nearestBy(faces, templates.first, models.embeddingModel, sought)
  }
  const first = Float32Array.from(templates.first)
  const near = await faces.nearest(first, leastOfFirst(atLeast, models), rankedAgain)
  return {
    hits: await rankedByBoth(searched, near, templates, atLeast),
    isExact: near.length < rankedAgain && near.isExact !== false,
  }
}

async function nearestOfFormer({ faces, models }: Searched, sought: Sought): Promise<Found> {
  const { former } = sought.templates
  if (models.formerModel === undefined || faces.former === undefined) return { hits: [], isExact: true }
  if (former === undefined) throw new Error('The query has no embedding of the former model')
  return nearestBy(faces.former, former, models.formerModel, sought)
}

async function nearestBy(
  faces: SearchedFaces,
  embedding: ArrayLike<number>,
  model: EmbeddingModel,
  { atLeast, most, perPerson }: Sought,
): Promise<Found> {
  const least = cosineThatReaches(atLeast, model)
  const near = await faces.nearest(Float32Array.from(embedding), least, most, undefined, perPerson)
  const hits = near.map(({ face, likeness }) => ({ face, score: scoreFound(likeness, model) }))
  return { hits, isExact: near.isExact !== false }
}
