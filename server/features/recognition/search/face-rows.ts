import { searchedModelOf } from '#models/rules/embedding.ts'
import { likenessTo } from '#models/rules/quality/poor-look.ts'
import { isSameIdentity } from '#shared/identity/identity-text.ts'
import type { Arena } from './arena.ts'
import { createBest, type Ranked } from './best.ts'
import { createCodedRows } from './coded-rows.ts'
import { createExternalIds } from './external-ids.ts'
import type { Kernel } from './kernel/open-kernel.ts'
import { createRows } from './rows.ts'
import type { Breathe } from './subspace.ts'

/** Which faces a search is about: those of an external id, or those that have another one. */
export interface Among {
  readonly externalId: string
  readonly is: boolean
}

export function isAmong(externalId: string | null, among: Among): boolean {
  return externalId !== null && isSameIdentity(externalId, among.externalId) === among.is
}

export interface RowHit {
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly externalId: string | null
  /** See `likenessBy`. */
  readonly likeness: number
}

/** A face as its row takes it. */
export interface RowFace {
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly externalId: string | null
  /** The bytes of the numbers of a unit vector, wherever they stand. */
  readonly vector: Uint8Array
}

/** The unit vectors of one collection, as far as they are in this thread. */
export interface FaceRows {
  readonly size: number
  /** How many rows the last search compared number by number. */
  readonly compared: number
  /** A face whose id is there already changes nothing. They are coded together once all of them are there. */
  add(faces: Iterable<RowFace>): void
  /** Removes a vector, where it is there. */
  remove(id: Uint8Array): void
  /**
   * The most alike vectors that reach `atLeast`, `most` of them, the most alike first: always those of a scan of
   * all vectors, since whatever the codes cannot rule out is compared. [Note: What codes leave out is bounded] A likeness is at most
   * the cosine that codes bound. Equal ones come by their ids; `perPerson`: of the vectors of one external id the best one alone.
   */
  nearest(vector: Float32Array, atLeast: number, most: number, among?: Among, perPerson?: boolean): RowHit[]
  hasExternalId(externalId: string): boolean
  /** Resolves when nothing is being learnt about the vectors. */
  settle(): Promise<void>
  /** Gives the memory back. */
  close(): void
}

export function createFaceRows(kernel: Kernel, arena: Arena, breathe: Breathe): FaceRows {
  const [{ length, scratch }, rows] = [arena, createRows(arena)]
  const coded = createCodedRows(kernel, arena, rows, breathe)
  const externalIds = createExternalIds()
  let compared = 0

  function nearestRows(atLeast: number, most: number, among?: Among, perPerson = false): readonly Ranked[] {
    const ranking = { order: rows.order, personOf: perPerson ? externalIds.of : undefined }
    const best = createBest(most, atLeast, ranking)
    const likenessOf = likenessTo(arena.numbers(scratch.vector, length).slice(), searchedModelOf(length))
    compared = 0
    const compare = (row: number) => {
      compared++
      const cosine = kernel.dot(rows.vectorAt(row), scratch.vector, length)
      if (cosine < best.least || (among !== undefined && !isAmong(externalIds.of(row), among))) return
      const likeness = likenessOf(cosine, arena.numbers(rows.vectorAt(row), length))
      if (likeness >= best.least) best.add({ row, likeness })
    }
    if (among?.is) externalIds.rowsOf(among.externalId).forEach(compare)
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
    nearest(vector, ...sought) {
      arena.numbers(scratch.vector, length).set(vector)
      return nearestRows(...sought).map(({ row, likeness }) => {
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
