import { expect, test } from 'vitest'
import { createRecordShares, threadFor } from '#server/features/recognition/index/threads/record-shares.ts'
import type { PackedRecords } from '#server/features/recognition/index/threads/wire.ts'
import { valuesOf } from '#server/platform/store/batches/batches.ts'

const model = Buffer.from('fr-feature/2')

/** How a record begins: form, model, id. */
function recordOf(idByte: number, content: number, length = 2200): Uint8Array {
  const id = Buffer.alloc(16)
  id[3] = idByte
  return Buffer.concat([Buffer.of(1, model.length), model, id, Buffer.alloc(length, content)])
}

function batchOf(records: readonly Uint8Array[]) {
  let end = 0
  const ends = Uint32Array.from(records, ({ length }) => (end += length))
  return { bytes: Buffer.concat(records), ends }
}

/** The records that each thread received, in order, and how many batches there were. */
function open(threads: number) {
  const handed: Uint8Array[][] = Array.from({ length: threads }, () => [])
  const batches: PackedRecords[] = []
  const shares = createRecordShares(threads, (thread, records) => {
    batches.push(records)
    handed[thread]!.push(...[...valuesOf(records)].map((record) => record.slice()))
  })
  return { shares, handed, batches }
}

/** As text, because comparing the numbers one by one takes a thousand times as long. */
const bytesOf = (records: readonly Uint8Array[]) =>
  records.map((record) => Buffer.from(record).toString('latin1'))

test('each thread receives the records of its ids, in order, once its share is full or it is queried', () => {
  const { shares, handed, batches } = open(3)
  const records = Array.from({ length: 1000 }, (_, i) => recordOf(i % 256, i % 251))
  for (let i = 0; i < records.length; i += 100) shares.put(batchOf(records.slice(i, i + 100)))
  expect(batches).toHaveLength(6)
  for (const { ends } of batches) expect(ends).toHaveLength(128)
  shares.flush()
  shares.flush()
  expect(batches).toHaveLength(9)
  for (const [thread, own] of handed.entries())
    expect(bytesOf(own)).toEqual(bytesOf(records.filter((_, i) => threadFor(i % 256, 3) === thread)))
})

test('a record that is longer than a share is sent alone, and long ones fill a share before there are many', () => {
  const { shares, handed, batches } = open(1)
  const records = [
    recordOf(1, 1),
    recordOf(1, 2, 400_000),
    recordOf(1, 3),
    ...[4, 5, 6].map((content) => recordOf(1, content, 100_000)),
  ]
  shares.put(batchOf(records))
  shares.flush()
  expect(bytesOf(handed[0]!)).toEqual(bytesOf(records))
  expect(batches.map(({ ends }) => ends.length)).toEqual([1, 1, 3, 1])
})

test('a record that is cut off before its id still goes to a thread, which reports why it cannot be read', () => {
  const { shares, handed } = open(2)
  shares.put(batchOf([Uint8Array.of(1), new Uint8Array(), Uint8Array.of(1, 255, 3)]))
  shares.flush()
  expect(handed.flat()).toHaveLength(3)
})

test('returned room is filled again, even after a short batch, until it is released', () => {
  const { shares, handed, batches } = open(1)
  shares.put(batchOf([recordOf(1, 1)]))
  shares.flush()
  const [{ bytes, ends }] = batches as [PackedRecords]
  shares.takeBack({ bytes, ends })
  const records = Array.from({ length: 128 }, (_, i) => recordOf(1, i))
  shares.put(batchOf(records))
  shares.flush()
  expect(batches[1]!.bytes.buffer).toBe(bytes.buffer)
  expect(bytesOf(handed[0]!.slice(1))).toEqual(bytesOf(records))
  shares.takeBack(batches[1]!)
  shares.shrink()
  shares.put(batchOf(records))
  shares.flush()
  expect(batches[2]!.bytes.buffer).not.toBe(bytes.buffer)
})
