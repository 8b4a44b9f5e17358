import { expect, test } from 'vitest'
import { createSearchThreads } from '#server/features/recognition/index/threads/search-threads.ts'
import type { RunningThread } from '#server/features/recognition/index/threads/start-search-thread.ts'
import type { Answer, Order } from '#server/features/recognition/index/threads/wire.ts'

type Records = Extract<Order, { kind: 'addRecords' }>

/** A thread that only answers what the test tells it to. */
function open() {
  const orders: Order[] = []
  let tell: (answer: Answer) => void = () => undefined
  const start = (): RunningThread => ({
    post: (order) => void orders.push(order),
    onAnswer: (listener) => {
      tell = listener
    },
    failed: new Promise(() => undefined),
    stop: async () => undefined,
  })
  const threads = createSearchThreads({ count: 1, start, onFailure: () => undefined })
  const records = () => orders.filter((order): order is Records => order.kind === 'addRecords')
  return { rows: threads.open(), orders, records, tell: (answer: Answer) => tell(answer) }
}

const batchOf = (count: number) => ({
  bytes: new Uint8Array(count * 40),
  ends: Uint32Array.from({ length: count }, (_, i) => (i + 1) * 40),
})

test('room that a thread has emptied holds the next records, until the last ones are in', () => {
  const { rows, records, tell } = open()
  const add = () => rows.addRecords(batchOf(129), 'fr-feature/2', new Uint8Array(32))
  add()
  const { collection, records: first } = records()[0]!
  tell({ collection, emptied: first })
  add()
  add()
  const rooms = () => records().map((order) => order.records.bytes.buffer)
  expect(rooms().lastIndexOf(first.bytes.buffer)).toBeGreaterThan(0)
  tell({ collection, emptied: first })
  expect(rows.takeRefused()).toEqual([])
  const before = rooms().length
  add()
  add()
  expect(rooms().slice(before)).not.toContain(first.bytes.buffer)
})

test('a thread receives only a key, not the data next to it', () => {
  const { rows, records } = open()
  const beside = new Uint8Array(8192).fill(1)
  rows.addRecords(batchOf(128), 'fr-feature/2', beside.subarray(64, 96))
  rows.addRecords(batchOf(1), 'fr-feature/2', beside.subarray(64, 96))
  expect(records().map(({ key }) => [key.length, key.buffer.byteLength])).toEqual([[32, 32]])
})

test.each([
  ['a search', (rows) => void rows.nearest(new Float32Array(512), 0.5, 1).catch(() => undefined)],
  ['a question', (rows) => void rows.hasExternalId('a')],
  [
    'a face',
    (rows) => rows.add([{ id: new Uint8Array(16), externalId: null, vector: new Float32Array(512) }]),
  ],
  ['a removal', (rows) => rows.remove(new Uint8Array(16))],
  ['the wait for all', (rows) => void rows.settle()],
] satisfies [string, (rows: ReturnType<typeof open>['rows']) => void][])(
  'records that wait for others are ordered before %s',
  (_name, ask) => {
    const { rows, orders } = open()
    rows.addRecords(batchOf(3), 'fr-feature/2', new Uint8Array(32))
    expect(orders).toHaveLength(0)
    ask(rows)
    expect(orders.map(({ kind }) => kind)[0]).toBe('addRecords')
    expect(orders).toHaveLength(2)
  },
)
