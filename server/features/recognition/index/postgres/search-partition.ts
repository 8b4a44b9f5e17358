import type { EmbeddingModel } from '#models/rules/embedding.ts'
import { faceIdOf } from '#server/features/recognition/store/face-id.ts'
import type { CodeCache } from './code-cache.ts'
import { codeBounds } from './codes/code-bounds.ts'
import { type ComparedEmbedding, openRow } from './codes/sealed-row.ts'
import { codeText, createEstimator, signCode } from './codes/sign-code.ts'
import type { GalleryState } from './gallery-rows.ts'
import { type NearCodes, nearCodes, rowsNumbered, type SealedRow } from './near-rows.ts'
import type { Partition } from './partition.ts'
import { type RecentSearches, searchName } from './recent-searches.ts'

/** The query, which is the same for each server. */
export interface RowQuery extends ComparedEmbedding {
  readonly model: EmbeddingModel
  /** True for the former model. */
  readonly isFormer: boolean
  readonly key: Buffer
  /** The query, rotated like the collection's codes. */
  readonly turned: Float32Array
  /** A row's minimum likeness, slightly lower than requested because stored embeddings are rounded. */
  readonly least: number
  /** Every code within this cosine's bounds is considered. If it is greater than `least`, some rows that reach `least` are missed. */
  readonly bound: number
}

/** An opened row that reaches the likeness. */
export interface FoundRow {
  readonly faceId: string
  readonly externalId: string | null
  /** Rounded; see sealed-row.ts. */
  readonly likeness: number
}

export interface FoundRows {
  readonly rows: readonly FoundRow[]
  /** False if there were more near codes than can be opened. */
  readonly isWhole: boolean
}

/** How many rows a search opens per server, at most. If there are more, it opens the rows with the nearest codes. */
const mostOpened = 100_000
/** Rows per fetch, 1.1 kB each. */
const openedAtOnce = 5000

/**
 * One server's rows that reach a cosine. The server scans all codes, this process compares the codes within the bounds with
 * the full query, and the remaining rows are opened and compared.
 */
export async function searchPartition(
  partition: Partition,
  gallery: GalleryState,
  query: RowQuery,
  recent: RecentSearches,
  codeCache?: CodeCache,
): Promise<FoundRows> {
  const name = searchName(partition.place, gallery.id, query.embedding, query.least)
  const before = recent.get(name)
  const { sequences, isWhole } = await scanned(partition, gallery, query, before?.until ?? 0, codeCache)
  const found = await opened(partition, gallery.id, [...(before?.sequences ?? []), ...sequences], query)
  if (isWhole) {
    const until = Math.max(gallery.lastSequence, before?.until ?? 0)
    recent.keep(name, { until, sequences: found.map(({ sequence }) => sequence) })
  }
  return { rows: found.map(({ row }) => row), isWhole }
}

/** The numbers of the rows after the given one that have to be opened. */
async function scanned(
  partition: Partition,
  gallery: GalleryState,
  query: RowQuery,
  after: number,
  codeCache: CodeCache | undefined,
) {
  if (after >= gallery.lastSequence) return { sequences: [], isWhole: true }
  const { model, isFormer, turned, bound } = query
  const { mostBits, leastEstimate } = codeBounds(bound, model)
  const asked = { code: signCode(turned), mostBits, after, until: gallery.lastSequence }
  const count = isFormer ? gallery.former : gallery.newest
  const near =
    (await codeCache?.near(partition, { state: gallery, model, count }, asked)) ??
    (await nearCodes(partition, gallery.id, model, { ...asked, code: codeText(asked.code) }))
  return nearest(near, turned, leastEstimate)
}

function nearest(near: NearCodes, turned: Float32Array, least: number) {
  const estimate = createEstimator(turned)
  const left: { readonly sequence: number; readonly cosine: number }[] = []
  for (let i = 0; i < near.count; i++) {
    const cosine = estimate(near.bytes, near.codeAt(i))
    if (cosine >= least) left.push({ sequence: near.sequenceOf(i), cosine })
  }
  const isWhole = left.length <= mostOpened
  if (!isWhole) left.sort((a, b) => b.cosine - a.cosine)
  return { sequences: left.slice(0, mostOpened).map(({ sequence }) => sequence), isWhole }
}

async function opened(partition: Partition, gallery: number, sequences: readonly number[], query: RowQuery) {
  const found: { readonly sequence: number; readonly row: FoundRow }[] = []
  for (let start = 0; start < sequences.length; start += openedAtOnce) {
    const rows = await rowsNumbered(partition, gallery, sequences.slice(start, start + openedAtOnce))
    for (const { sequence, ...sealed } of rows) {
      const row = openFoundRow(sealed, query)
      if (row.likeness >= query.least) found.push({ sequence, row })
    }
  }
  return found
}

/** @throws if the row was altered, or belongs to another collection */
export function openFoundRow(
  { id, sealed }: Omit<SealedRow, 'sequence'>,
  { key, ...compared }: ComparedEmbedding & { readonly key: Buffer },
): FoundRow {
  return { faceId: faceIdOf(id), ...openRow(key, id, sealed, compared) }
}
