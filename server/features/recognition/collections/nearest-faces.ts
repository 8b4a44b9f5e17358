import type { EmbeddingModel } from '#models/rules/embedding.ts'
import { matchScore } from '#models/rules/search-threshold.ts'
import type { Templates } from '#models/rules/templates.ts'
import { bestOfEach } from '#server/features/recognition/index/best-of-each.ts'
import {
  cosineThatReaches,
  type FaceMatch,
  type Gallery,
  matchingScore,
} from '#server/features/recognition/index/gallery.ts'
import { leastByFirst, matchesByBoth, type TemplateGallery } from './closest-face.ts'

/** How many of the closest faces by the first embedding are compared by both, if faces have two. */
const rankedAgain = 1024

interface NearestQuery {
  readonly templates: Templates
  readonly atLeast: number
  /** The maximum number of results. */
  readonly most: number
  /** True to keep only each external ID's best face. Faces without an external ID all count. */
  readonly perPerson: boolean
}

/** The result of searching for several faces. */
export interface NearestMatches {
  /** Most similar first; ties are sorted by faceId. */
  readonly matches: readonly FaceMatch[]
  /** False if there were more near faces than are compared by both embeddings, or if the index may have missed some. */
  readonly isExact: boolean
  /** How many faces were searched. */
  readonly searchedCount: number
}

/** A collection's faces as an index with bounds searches them. */
export interface BoundedGallery extends TemplateGallery {
  /** See face-index.ts. */
  readonly onInexact: (() => void) | undefined
}

type RankedMatches = Pick<NearestMatches, 'matches' | 'isExact'>

/**
 * A collection's most similar faces that reach the score, identical to those found by a full scan. The former model's faces
 * are compared by that model, as in `closestFace`, and all faces are ranked by score.
 * [Note: Searched by one, ranked by two]
 */
export async function nearestFaces(faces: BoundedGallery, query: NearestQuery): Promise<NearestMatches> {
  const newest = await nearestByModels(faces, query)
  const former = await nearestByFormer(faces, query)
  const isExact = newest.isExact && former.isExact && !isBelowBounds(faces, query)
  if (!isExact) faces.onInexact?.()
  const matches = mostAlike([...newest.matches, ...former.matches], query)
  return { matches, isExact, searchedCount: faces.gallery.comparableCount }
}

function isBelowBounds({ onInexact }: BoundedGallery, { atLeast }: NearestQuery): boolean {
  return onInexact !== undefined && atLeast < matchScore
}

/** Merges the best results from several searches, by the same rules as a single search. */
export function mostAlike<M extends FaceMatch>(
  matches: readonly M[],
  { most, perPerson }: Pick<NearestQuery, 'most' | 'perPerson'>,
): readonly M[] {
  const ranked = [...matches].sort((a, b) => b.score - a.score || order(a.face.faceId, b.face.faceId))
  return (perPerson ? bestOfEach(ranked) : ranked).slice(0, most)
}

function order(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

async function nearestByModels(faces: TemplateGallery, query: NearestQuery): Promise<RankedMatches> {
  const { gallery, models } = faces
  const { templates, atLeast } = query
  if (models.secondModel === undefined || templates.second === undefined) {
    return nearestByModel(gallery, templates.first, models.embeddingModel, query)
  }
  const first = Float32Array.from(templates.first)
  const near = await gallery.nearest(first, leastByFirst(atLeast, models), rankedAgain)
  return {
    matches: await matchesByBoth(faces, near, templates, atLeast),
    isExact: near.length < rankedAgain && near.isExact !== false,
  }
}

async function nearestByFormer(
  { gallery, models }: TemplateGallery,
  query: NearestQuery,
): Promise<RankedMatches> {
  const { former } = query.templates
  if (models.formerModel === undefined || gallery.former === undefined) return { matches: [], isExact: true }
  if (former === undefined) throw new Error('The query has no embedding of the former model')
  return nearestByModel(gallery.former, former, models.formerModel, query)
}

async function nearestByModel(
  gallery: Gallery,
  embedding: ArrayLike<number>,
  model: EmbeddingModel,
  { atLeast, most, perPerson }: NearestQuery,
): Promise<RankedMatches> {
  const least = cosineThatReaches(atLeast, model)
  const near = await gallery.nearest(Float32Array.from(embedding), least, most, undefined, perPerson)
  const matches = near.map(({ face, likeness }) => ({ face, score: matchingScore(likeness, model) }))
  return { matches, isExact: near.isExact !== false }
}
