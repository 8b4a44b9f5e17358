import { setImmediate as breathe } from 'node:timers/promises'
import { readForSearch } from '#server/recognition/faces/stored-face.ts'
import { createArena, idBytes } from './arena.ts'
import { createFaceRows, type FaceRows } from './face-rows.ts'
import { openKernel } from './kernel/open-kernel.ts'
import type { Answer, Order, PackedFaces, PackedRecords } from './wire.ts'

/** Carries out orders one after the other; long work of its own goes on between them. */
export function createSearchThread(length: number, answer: (answer: Answer) => void): (order: Order) => void {
  const kernel = openKernel()
  const arena = createArena(kernel, length)
  const collections = new Map<number, FaceRows>()

  function rowsOf(collection: number): FaceRows {
    const known = collections.get(collection)
    if (known !== undefined) return known
    const rows = createFaceRows(kernel, arena, breathe)
    collections.set(collection, rows)
    return rows
  }

  function carryOut(order: Order): void {
    const rows = rowsOf(order.collection)
    if (order.kind === 'add') add(rows, order.faces, length)
    else if (order.kind === 'addRecords') addRecords(rows, order)
    else if (order.kind === 'remove') eachId(order.ids, rows.remove)
    else if (order.kind === 'close') close(order.collection)
    else void reply(rows, order)
  }

  /** [Note: Records are opened where they are searched] Opening takes most of the time of a load, and the event loop has none to spare. */
  function addRecords(rows: FaceRows, order: Extract<Order, { kind: 'addRecords' }>): void {
    const { collection, records, model, key } = order
    for (const record of eachRecord(records)) {
      const face = openedRecord(record, model, key)
      if (face === undefined) answer({ collection, refused: record.slice() })
      else rows.add(face.id, face.externalId, face.embedding)
    }
  }

  /** Undefined where it cannot be searched by vectors of the model. */
  function openedRecord(record: Uint8Array, model: string, key: Uint8Array) {
    try {
      const { id, embeddingModel, open } = readForSearch(record)
      if (embeddingModel !== model) return undefined
      const { externalId, embedding } = open(key)
      return embedding.length === length ? { id, externalId, embedding } : undefined
    } catch {
      return undefined
    }
  }

  async function reply(rows: FaceRows, order: Extract<Order, { ask: number }>): Promise<void> {
    const { ask } = order
    if (order.kind === 'search') {
      const found = rows.nearest(order.vector, order.atLeast, order.most, order.among)
      answer({ ask, size: rows.size, compared: rows.compared, found })
    } else if (order.kind === 'hasExternalId') {
      answer({ ask, size: rows.size, has: rows.hasExternalId(order.externalId) })
    } else {
      if (order.thoroughly) await rows.settle()
      answer({ ask, size: rows.size })
    }
  }

  function close(collection: number): void {
    collections.get(collection)?.close()
    collections.delete(collection)
  }

  return (order) => {
    try {
      carryOut(order)
    } catch (error) {
      close(order.collection)
      answer({ collection: order.collection, failure: String(error) })
    }
  }
}

function add(rows: FaceRows, { ids, externalIds, vectors }: PackedFaces, length: number): void {
  for (const [i, externalId] of externalIds.entries()) {
    const id = ids.subarray(i * idBytes, (i + 1) * idBytes)
    rows.add(id, externalId, vectors.subarray(i * length, (i + 1) * length))
  }
}

function* eachRecord({ bytes, ends }: PackedRecords): Iterable<Uint8Array> {
  let start = 0
  for (const end of ends) {
    yield bytes.subarray(start, end)
    start = end
  }
}

function eachId(ids: Uint8Array, work: (id: Uint8Array) => void): void {
  for (let at = 0; at < ids.length; at += idBytes) work(ids.subarray(at, at + idBytes))
}
