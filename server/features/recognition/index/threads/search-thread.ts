import { createSecretKey, type KeyObject } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { idBytes } from '#server/features/recognition/store/face-id.ts'
import { openForSearch } from '#server/features/recognition/store/face-record.ts'
import { valuesOf } from '#server/platform/store/batches/batches.ts'
import { createArena, MemoryFull } from './arena.ts'
import { createFaceRows, type FaceRows, type RowFace } from './face-rows.ts'
import { openKernel } from './kernel/open-kernel.ts'
import { type Answer, buffersOf, type Order, type PackedFaces, type SearchThreadData } from './wire.ts'

/** Transferred buffers belong to the receiver afterwards. */
type Tell = (answer: Answer, handedOver?: readonly ArrayBuffer[]) => void

/** Executes orders one after another, and continues its background work between them. */
export function createSearchThread(
  { length, mostPages }: SearchThreadData,
  answer: Tell,
): (order: Order) => void {
  const kernel = openKernel('fastest', mostPages)
  const arena = createArena(kernel, length)
  const vectorBytes = length * Float32Array.BYTES_PER_ELEMENT
  const collections = new Map<number, FaceRows>()

  function rowsFor(collection: number): FaceRows {
    const known = collections.get(collection)
    if (known !== undefined) return known
    const rows = createFaceRows(kernel, arena, breathe)
    collections.set(collection, rows)
    return rows
  }

  function carryOut(order: Order): void {
    const rows = rowsFor(order.collection)
    if (order.kind === 'add') rows.add(facesOf(order.faces, vectorBytes))
    else if (order.kind === 'addRecords') addRecords(rows, order)
    else if (order.kind === 'remove') eachId(order.ids, rows.remove)
    else if (order.kind === 'close') close(order.collection)
    else void reply(rows, order)
  }

  function addRecords(rows: FaceRows, order: RecordsOrder): void {
    const { collection, records } = order
    rows.add(openedRecords(order, vectorBytes, (refused) => answer({ collection, refused })))
    answer({ collection, emptied: records }, buffersOf(records))
  }

  async function reply(rows: FaceRows, order: Extract<Order, { ask: number }>): Promise<void> {
    const { ask } = order
    if (order.kind === 'search') {
      const found = rows.nearest(order.vector, order.atLeast, order.most, order.filter, order.perPerson)
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
      const isFull = error instanceof MemoryFull
      answer({ collection: order.collection, failure: String(error), isFull })
    }
  }
}

type RecordsOrder = Extract<Order, { kind: 'addRecords' }>

function* facesOf({ ids, externalIds, vectors }: PackedFaces, length: number): Iterable<RowFace> {
  const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength)
  for (const [i, externalId] of externalIds.entries()) {
    const id = ids.subarray(i * idBytes, (i + 1) * idBytes)
    yield { id, externalId, vector: bytes.subarray(i * length, (i + 1) * length) }
  }
}

/** [Note: Records are opened where they are searched] Opening takes most of a load's time, which the event loop cannot spare. */
function* openedRecords(
  { records, model, key }: RecordsOrder,
  length: number,
  refuse: (record: Uint8Array) => void,
): Iterable<RowFace> {
  const [modelBytes, keyObject] = [Buffer.from(model), createSecretKey(key)]
  for (const record of valuesOf(records)) {
    const face = openedRecord(record, modelBytes, keyObject)
    if (face?.vector.length === length) yield face
    else refuse(record.slice())
  }
}

/** Undefined if the model's vectors cannot search it. */
function openedRecord(record: Uint8Array, model: Uint8Array, key: KeyObject): RowFace | undefined {
  try {
    return openForSearch(record, model, key)
  } catch {
    return undefined
  }
}

function eachId(ids: Uint8Array, work: (id: Uint8Array) => void): void {
  for (let at = 0; at < ids.length; at += idBytes) work(ids.subarray(at, at + idBytes))
}
