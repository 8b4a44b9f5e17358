import { idBytes } from '#server/features/recognition/store/face-id.ts'
import { type Arena, type Segment, segmentRows } from './arena.ts'
import { createIdTable } from './id-table.ts'

/** One collection's vectors in a thread's memory, contiguous by row and segment. */
export interface Rows {
  readonly size: number
  readonly segments: readonly Segment[]
  /** The new row; undefined if the ID already exists. `vector` is the bytes of its numbers, at any alignment. */
  add(id: Uint8Array, vector: Uint8Array): number | undefined
  /** The last row takes the removed one's place; undefined if the ID does not exist. */
  remove(id: Uint8Array): { readonly row: number; readonly last: number } | undefined
  idAt(row: number): Uint8Array
  /** Sorts by ID: negative if the first comes first. */
  order(one: number, other: number): number
  /** The vector's address. */
  vectorAt(row: number): number
  close(): void
}

export function createRows(arena: Arena): Rows {
  const segments: Segment[] = []
  const vectorBytes = arena.length * Float32Array.BYTES_PER_ELEMENT
  let size = 0

  const segmentOf = (row: number) => segments[Math.floor(row / segmentRows)]!
  const vectorAt = (row: number) => segmentOf(row).vectors + (row % segmentRows) * vectorBytes
  const idPlace = (row: number) => segmentOf(row).ids + (row % segmentRows) * idBytes
  const ids = createIdTable(arena.all, idPlace)

  const idAt = (row: number) => arena.bytes(idPlace(row), idBytes)

  function move(from: number, to: number): void {
    arena.bytes(vectorAt(to), vectorBytes).set(arena.bytes(vectorAt(from), vectorBytes))
    idAt(to).set(idAt(from))
    ids.move(idAt(to), to)
  }

  return {
    get size() {
      return size
    },
    segments,
    add(id, vector) {
      if (!ids.add(id, size)) return undefined
      if (size === segments.length * segmentRows) segments.push(arena.take())
      const row = size++
      const memory = arena.all()
      memory.set(id, idPlace(row))
      memory.set(vector, vectorAt(row))
      return row
    },
    remove(id) {
      const row = ids.find(id)
      if (row === undefined) return undefined
      const last = size - 1
      ids.remove(id)
      if (row !== last) move(last, row)
      size--
      if (size % segmentRows === 0) arena.give(segments.pop()!)
      return { row, last }
    },
    idAt,
    order: (one, other) => Buffer.compare(idAt(one), idAt(other)),
    vectorAt,
    close() {
      for (const segment of segments.splice(0)) arena.give(segment)
      size = 0
    },
  }
}
