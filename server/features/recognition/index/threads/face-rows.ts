import { searchedModelOf } from '#models/rules/embedding.ts'
import { likenessTo } from '#models/rules/quality/poor-look.ts'
import { createBestRows, type RankedRow } from '#server/features/recognition/index/best-rows.ts'
import { type PersonFilter, passesFilter } from '#server/features/recognition/index/person-filter.ts'
import type { Arena } from './arena.ts'
import { createCodedRows } from './coded-rows.ts'
import { createExternalIds } from './external-ids.ts'
import type { Kernel } from './kernel/open-kernel.ts'
import { createRows } from './rows.ts'
import type { Breathe } from './subspace.ts'

/** A row that reaches the likeness of a search. */
export interface RowMatch {
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly externalId: string | null
  /** See `likenessBy`. */
  readonly likeness: number
}

/** A face in row form. */
export interface RowFace {
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly externalId: string | null
  /** A unit vector's bytes, at any alignment. */
  readonly vector: Uint8Array
}

/** One collection's unit vectors in this thread. */
export interface FaceRows {
  readonly size: number
  /** How many rows the last search compared in full. */
  readonly compared: number
  /** Adds faces, which are encoded together at the end. Adding an existing face is a no-op. */
  add(faces: Iterable<RowFace>): void
  /** Removes a vector if it exists. */
  remove(id: Uint8Array): void
  /**
   * Up to `most` vectors that reach `atLeast`, most similar first: always the same as a full scan, since every vector
   * that the codes cannot rule out is compared. [Note: What codes leave out is bounded] A likeness is at most the cosine
   * that codes bound. Equal ones are ordered by id; with `perPerson`, only the best vector of each external id counts.
   */
  nearest(
    vector: Float32Array,
    atLeast: number,
    most: number,
    filter?: PersonFilter,
    perPerson?: boolean,
  ): RowMatch[]
  hasExternalId(externalId: string): boolean
  /** Resolves when no learning is in progress. */
  settle(): Promise<void>
  /** Frees the memory. */
  close(): void
}

export function createFaceRows(kernel: Kernel, arena: Arena, breathe: Breathe): FaceRows {
  const [{ length, scratch }, rows] = [arena, createRows(arena)]
  const coded = createCodedRows(kernel, arena, rows, breathe)
  const externalIds = createExternalIds()
  let compared = 0

  function nearestRows(
    atLeast: number,
    most: number,
    filter?: PersonFilter,
    perPerson = false,
  ): readonly RankedRow[] {
    const ranking = { order: rows.order, personOf: perPerson ? externalIds.of : undefined }
    const best = createBestRows(most, atLeast, ranking)
    const likenessOf = likenessTo(arena.numbers(scratch.vector, length).slice(), searchedModelOf(length))
    compared = 0
    const compare = (row: number) => {
      compared++
      const cosine = kernel.dot(rows.vectorAt(row), scratch.vector, length)
      if (cosine < best.least || (filter !== undefined && !passesFilter(externalIds.of(row), filter))) return
      const likeness = likenessOf(cosine, arena.numbers(rows.vectorAt(row), length))
      if (likeness >= best.least) best.add({ row, likeness })
    }
    if (filter?.is) externalIds.rowsOf(filter.externalId).forEach(compare)
    else coded.visit(() => best.least, compare)
    return best.ranked
  }

  return {
    get size() {
      return rows.size
    },
    get compared() {
      return compared
    },
    add(faces) {
      const first = rows.size
      for (const { id, externalId, vector } of faces) {
        const row = rows.add(id, vector)
        if (row !== undefined) externalIds.set(row, externalId)
      }
      coded.note(first, rows.size - first)
    },
    remove(id) {
      const removed = rows.remove(id)
      if (removed === undefined) return
      const { row, last } = removed
      externalIds.remove(row, last)
      if (row !== last) coded.note(row, 1)
      coded.drop(last)
    },
    nearest(vector, ...search) {
      arena.numbers(scratch.vector, length).set(vector)
      return nearestRows(...search).map(({ row, likeness }) => {
        return { id: rows.idAt(row).slice(), externalId: externalIds.of(row), likeness }
      })
    },
    hasExternalId: (externalId) => externalIds.rowsOf(externalId).length > 0,
    settle: coded.settle,
    close() {
      coded.close()
      rows.close()
    },
  }
}
