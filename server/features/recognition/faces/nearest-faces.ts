import type { EmbeddingModel } from '#models/rules/embedding.ts'
import { matchScore } from '#models/rules/search-threshold.ts'
import type { Templates } from '#models/rules/templates.ts'
import { canonicalIdentity } from '#shared/identity/identity-text.ts'
import { leastOfFirst, rankedByBoth, type Searched } from './closest-face.ts'
import { cosineThatReaches, type Hit, type SearchedFaces, scoreFound } from './searchable-faces.ts'

/** So many of the closest by the first embedding are compared by both, where faces have two. */
const rankedAgain = 1024

interface Sought {
  readonly templates: Templates
  readonly atLeast: number
  /** How many at most. */
  readonly most: number
  /** Of the faces of one external id the best one alone; those of nobody all count. */
  readonly perPerson: boolean
}

/** What a search for several faces has found. */
export interface Nearest {
  /** The most alike first, equal ones by faceId. */
  readonly hits: readonly Hit[]
  /** False where more faces came near than are compared by both embeddings, or where the index may have left some out. */
  readonly isExact: boolean
  /** Among how many faces it was. */
  readonly searchedCount: number
}

type Found = Pick<Nearest, 'hits' | 'isExact'>

/**
 * The faces of a collection that are most alike and reach the score: those that a scan of every face finds. Faces of the former model
 * are compared by that one, as `closestFace` does, and all are ranked by their scores. [Note: Searched by one, ranked by two]
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

/** The best of what was found in several places, by the rules of one search. */
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
  if (former === undefined) throw new Error('A face is sought without its former embedding')
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
