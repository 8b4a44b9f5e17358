import type { EmbeddingModel } from '#models/rules/embedding.ts'
import { likenessTo } from '#models/rules/quality/poor-look.ts'
import { matchScore } from '#models/rules/search-threshold.ts'
import { bestOfEach } from '#server/features/recognition/index/best-of-each.ts'
import {
  cosineThatReaches,
  type Gallery,
  type NearFace,
  type NearFaces,
} from '#server/features/recognition/index/gallery.ts'
import { type PersonFilter, passesFilter } from '#server/features/recognition/index/person-filter.ts'
import type { CodeCache } from './code-cache.ts'
import type { Rotation } from './codes/rotation.ts'
import { hashPerson } from './codes/sealed-row.ts'
import { type GalleryState, isWhole } from './gallery-rows.ts'
import { rowsOfPerson } from './near-rows.ts'
import type { Partition } from './partition.ts'
import type { RecentSearches } from './recent-searches.ts'
import { searchIncomplete } from './search-incomplete.ts'
import { type FoundRow, openFoundRow, searchPartition } from './search-partition.ts'

/** A gallery's state on one server. */
export interface ServerGallery {
  readonly partition: Partition
  readonly gallery: GalleryState
}

/** The dependencies for searching a collection's faces by one model. */
export interface PostgresGallerySources {
  readonly galleries: readonly ServerGallery[]
  readonly key: Buffer
  readonly model: EmbeddingModel
  /** True for the former model, which has separate faces. */
  readonly isFormer: boolean
  readonly rotation: Rotation
  readonly recent: RecentSearches
  /** Undefined if the servers scan all codes. */
  readonly codeCache: CodeCache | undefined
  /** A face's stored embedding by this model; undefined if the face was removed. */
  readonly embeddingOf: (faceId: string) => Promise<Float32Array | undefined>
  readonly onSearch: (faces: number, durationInSeconds: number) => void
}

/** The maximum cosine error from rounding embeddings. */
const slack = 2e-4
/** How many embeddings are read from the store for an exact ranking, at most. Callers that need more rank them again. */
const mostExact = 128
/**
 * In larger collections, a search below the match score only reaches as far as that score's bounds. Below it, codes say too
 * little, and half of the collection would have to be opened.
 */
const mostOfAnyScore = 50_000

/** A collection's faces by one model, across all servers. */
export function createPostgresGallery(sources: PostgresGallerySources): Gallery {
  const { galleries, isFormer } = sources
  const count = galleries.reduce((sum, { gallery }) => sum + (isFormer ? gallery.former : gallery.newest), 0)

  async function nearest(
    embedding: Float32Array,
    least: number,
    most: number,
    filter?: PersonFilter,
    perPerson = false,
  ): Promise<NearFaces> {
    const started = performance.now()
    const { rows, isComplete } = await findRows(sources, embedding, least, count, filter)
    const mine =
      filter === undefined ? rows : rows.filter(({ externalId }) => passesFilter(externalId, filter))
    const near = await rankRows(sources, mine, { embedding, least, most, perPerson })
    sources.onSearch(count, (performance.now() - started) / 1000)
    if (isComplete) return near
    return Object.assign(near, { isExact: false as const })
  }

  return {
    size: count,
    comparableCount: count,
    nearest,
    async hasExternalId(externalId) {
      const person = hashPerson(sources.key, externalId)!
      const found = await askAll(galleries, ({ partition, gallery }) =>
        rowsOfPerson(partition, gallery.id, isFormer, person),
      )
      return found.some((rows) => rows.length > 0)
    },
  }
}

/**
 * Asks every server at once. [Note: Never "no match"] A gallery that is rebuilt during a search, because another process
 * has erased it, was missing for part of it. So each server is asked afterwards if its gallery is still complete. @throws
 * {Problem} search_incomplete
 */
async function askAll<T>(
  galleries: readonly ServerGallery[],
  ask: (placed: ServerGallery) => Promise<T>,
): Promise<T[]> {
  return Promise.all(
    galleries.map(async (placed) => {
      const answer = await ask(placed)
      const { partition, gallery } = placed
      if (!(await isWhole(partition, gallery.id))) throw searchIncomplete(partition)
      return answer
    }),
  )
}

async function findRows(
  sources: PostgresGallerySources,
  embedding: Float32Array,
  asked: number,
  count: number,
  filter: PersonFilter | undefined,
): Promise<{ rows: readonly FoundRow[]; isComplete: boolean }> {
  const { galleries, key, model, isFormer, rotation, recent, codeCache } = sources
  const least = asked - slack
  const likenessOf = likenessTo(embedding, model)
  if (filter?.is === true) {
    const person = hashPerson(key, filter.externalId)!
    const found = await askAll(galleries, ({ partition, gallery }) =>
      rowsOfPerson(partition, gallery.id, isFormer, person),
    )
    const rows = found.flat().map((row) => openFoundRow(row, { key, embedding, likenessOf, least }))
    return { rows: rows.filter(({ likeness }) => likeness >= least), isComplete: true }
  }
  const matching = cosineThatReaches(matchScore, model)
  const bound = count > mostOfAnyScore ? Math.max(asked, matching) : asked
  const query = {
    ...{ model, isFormer, key, embedding, likenessOf, least, bound },
    turned: rotation(embedding),
  }
  const found = await askAll(galleries, ({ partition, gallery }) =>
    searchPartition(partition, gallery, query, recent, codeCache),
  )
  const isComplete = bound === asked && found.every((one) => one.isWhole)
  return { rows: found.flatMap(({ rows }) => rows), isComplete }
}

interface RankingQuery {
  readonly embedding: Float32Array
  readonly least: number
  readonly most: number
  readonly perPerson: boolean
}

/** The first rows, sorted by cosine. The cosines are exact if only a few faces are requested. */
async function rankRows(
  sources: PostgresGallerySources,
  rows: readonly FoundRow[],
  query: RankingQuery,
): Promise<NearFace[]> {
  const { embedding, least, most, perPerson } = query
  const likenessOf = likenessTo(embedding, sources.model)
  const sorted = rows.map(nearOf).sort(byLikeness)
  const best = perPerson ? bestOfEach(sorted) : sorted
  if (most > mostExact) return best.slice(0, most)
  const edge = (best[most - 1]?.likeness ?? Number.NEGATIVE_INFINITY) - slack
  const candidates = best.filter(({ likeness }) => likeness >= edge).slice(0, 2 * mostExact)
  const read = await Promise.all(candidates.map(({ face }) => sources.embeddingOf(face.faceId)))
  const exact = candidates.flatMap(({ face }, i): NearFace[] => {
    const own = read[i]
    return own === undefined ? [] : [{ face, likeness: likenessOf(dot(own, embedding), own) }]
  })
  return exact
    .filter(({ likeness }) => likeness >= least)
    .sort(byLikeness)
    .slice(0, most)
}

function nearOf({ faceId, externalId, likeness }: FoundRow): NearFace {
  return { face: { faceId, externalId }, likeness }
}

function byLikeness(a: NearFace, b: NearFace): number {
  return b.likeness - a.likeness || (a.face.faceId < b.face.faceId ? -1 : 1)
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!
  return sum
}
