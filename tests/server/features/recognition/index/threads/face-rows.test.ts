import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createArena, segmentRows } from '#server/features/recognition/index/threads/arena.ts'
import { createFaceRows, type RowFace } from '#server/features/recognition/index/threads/face-rows.ts'
import { openKernel } from '#server/features/recognition/index/threads/kernel/open-kernel.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { isLong, some } from '../../../../../../e2e/support/length.ts'
import { createPopulation, greatestDot, near, unit } from '../../../../../support/drawn/unit-vectors.ts'

const length = 128
const breathe = () => new Promise<void>((over) => setImmediate(over))

function open(instructions: 'plain' | 'fastest' = 'fastest') {
  const kernel = openKernel(instructions)
  const arena = createArena(kernel, length)
  return { kernel, arena, rows: createFaceRows(kernel, arena, breathe) }
}

/** In the form that a thread receives: the numbers as bytes, at any offset. */
function faceOf(id: Uint8Array, externalId: string | null, vector: Float32Array): RowFace {
  const bytes = new Uint8Array(1 + vector.byteLength)
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), 1)
  return { id, externalId, vector: bytes.subarray(1) }
}

/** Rows with their contents, keyed by hexadecimal id. */
function openFilled(count: number, instructions?: 'plain') {
  const opened = open(instructions)
  const population = createPopulation(7, length)
  const vectors = new Map<string, Float32Array>()
  function add(vector: Float32Array, externalId: string | null = null): string {
    const id = randomBytes(16)
    opened.rows.add([faceOf(id, externalId, vector)])
    vectors.set(id.toString('hex'), vector)
    return id.toString('hex')
  }
  for (let i = 0; i < count; i++) add(population.draw())
  return { ...opened, population, vectors, add }
}

const hex = (id: Uint8Array) => Buffer.from(id).toString('hex')

/**
 * Searches for strangers and for vectors near existing ones, and compares the results with a full scan. Returns how many
 * rows a search compared for a cosine above 0.5.
 */
function expectExact(
  { rows, vectors, population }: ReturnType<typeof openFilled>,
  queries = isLong ? 40 : 12,
): number {
  const known = [...vectors.values()]
  let compared = 0
  for (let i = 0; i < queries; i++) {
    const query =
      i % 2 ? population.draw() : near(known[(i * 977) % known.length]!, i / queries, population.random)
    const exact = greatestDot(vectors, query)
    for (const atLeast of [-1, 0.51, exact.cosine - 1e-5, exact.cosine + 1e-5, 0.999]) {
      const hit = rows.nearest(query, atLeast, 1)[0]
      if (exact.cosine < atLeast) expect(hit).toBeUndefined()
      else {
        expect(hit!.likeness).toBeCloseTo(exact.cosine, 5)
        expect(hex(hit!.id)).toBe(exact.id)
      }
      if (atLeast === 0.51 || atLeast === 0.999) compared += rows.compared
    }
  }
  return compared / queries / 2
}

describe.each(['fastest', 'plain'] as const)('rows of faces, %s instructions', (instructions) => {
  test('return the same as a scan of all vectors, and compare few of them', async () => {
    const filled = openFilled(6000, instructions === 'plain' ? 'plain' : undefined)
    expectExact(filled, 4)
    await filled.rows.settle()
    expect(expectExact(filled)).toBeLessThan(filled.rows.size / 20)
  })
})

test('the nearest of many are those of a scan of all vectors, in order', async () => {
  const { rows, vectors, population } = openFilled(6000)
  await rows.settle()
  const known = [...vectors]
  for (let i = 0; i < 20; i++) {
    const query = near(known[i * 290]![1], 0.5, population.random)
    const ranked = known
      .map(([id, vector]) => ({ id, cosine: vector.reduce((sum, value, k) => sum + value * query[k]!, 0) }))
      .sort((a, b) => b.cosine - a.cosine)
    const found = rows.nearest(query, -1, 64)
    expect(found.map(({ likeness }) => likeness)).toEqual(
      ranked.slice(0, 64).map(({ cosine }) => expect.closeTo(cosine, 5)),
    )
    const least = ranked[10]!.cosine - 1e-6
    expect(rows.nearest(query, least, 64).map(({ id }) => hex(id))).toEqual(
      ranked.slice(0, 11).map(({ id }) => id),
    )
  }
})

test('rows are right while they learn, and while faces come and go', async () => {
  const filled = openFilled(2047)
  const { rows, vectors, population, add } = filled
  let settled = false
  add(population.draw())
  void rows.settle().then(() => {
    settled = true
  })
  for (let round = 0; !settled; round++) {
    const [gone] = vectors.keys()
    rows.remove(Buffer.from(gone!, 'hex'))
    vectors.delete(gone!)
    for (let i = 0; i < 8; i++) add(population.draw())
    if (round % 50 === 0) expectExact(filled, 2)
    await breathe()
  }
  expectExact(filled)
})

test.each(some([7, 1031, 1, 8, 9, 500], 2))(
  'rows that are added %i at a time are coded like those that are added singly',
  async (batch) => {
    const filled = openFilled(2600)
    const { rows, vectors, population } = filled
    await rows.settle()
    for (let added = 0; added < 2500; added += batch) {
      const faces = Array.from({ length: batch }, () => faceOf(randomBytes(16), null, population.draw()))
      const known = { ...faces[0]!, vector: new Uint8Array(length * 4) }
      rows.add([...faces, known])
      for (const { id, vector } of faces) vectors.set(hex(id), new Float32Array(vector.slice().buffer))
    }
    expect(rows.size).toBe(vectors.size)
    expect(expectExact(filled)).toBeLessThan(rows.size / 20)
  },
)

test('thousands of added rows are learnt from once they are searched', async () => {
  const { rows } = open()
  const population = createPopulation(7, length)
  rows.add(Array.from({ length: 6000 }, () => faceOf(randomBytes(16), null, population.draw())))
  await breathe()
  const query = population.draw()
  rows.nearest(query, 0.5, 1)
  expect(rows.compared).toBe(6000)
  await rows.settle()
  rows.nearest(query, 0.5, 1)
  expect(rows.compared).toBeLessThan(600)
})

test('vectors that no code can bound are still found', async () => {
  const filled = openFilled(2100)
  await filled.rows.settle()
  const random = randomNumbers(3)
  for (let i = 0; i < 40; i++) {
    const axis = new Float32Array(length)
    axis[i] = 1
    const odd = i % 2 ? axis : unit(Array.from({ length }, () => random() ** 9 - 0.3))
    const id = filled.add(odd)
    expect(hex(filled.rows.nearest(near(odd, 0.02, random), 0.9, 1)[0]!.id)).toBe(id)
  }
  expectExact(filled)
})

test('a removed vector is no longer found, and the one that takes its place is', async () => {
  const filled = openFilled(3 * segmentRows)
  const { rows, vectors } = filled
  await rows.settle()
  for (const [id] of [...vectors].filter((_, i) => i % 3 !== 1 || i > 2 * segmentRows)) {
    rows.remove(Buffer.from(id, 'hex'))
    vectors.delete(id)
  }
  rows.remove(randomBytes(16))
  expect(rows.size).toBe(vectors.size)
  expectExact(filled)
  for (const id of [...vectors.keys()]) rows.remove(Buffer.from(id, 'hex'))
  expect(rows.size).toBe(0)
  expect(rows.nearest(filled.population.draw(), -1, 1)[0]).toBeUndefined()
})

test('an existing id changes nothing', () => {
  const { rows, population } = openFilled(3)
  const [id, first] = [randomBytes(16), population.draw()]
  rows.add([faceOf(id, 'a', first)])
  rows.add([faceOf(id, 'b', population.draw())])
  expect(rows.size).toBe(4)
  expect(rows.hasExternalId('b')).toBe(false)
  expect(rows.nearest(first, 0.9, 1)[0]).toMatchObject({ externalId: 'a' })
})

test('a search is restricted to an external id, or to faces with another one', async () => {
  const { rows, population, add, vectors } = openFilled(2100)
  await rows.settle()
  const query = population.draw()
  const of = {
    a: add(near(query, 0.3, population.random), 'a'),
    b: add(near(query, 0.2, population.random), 'b'),
  }
  const nobody = add(near(query, 0.1, population.random))
  const find = (among?: { externalId: string; is: boolean }) => hex(rows.nearest(query, 0.5, 1, among)[0]!.id)
  expect(find()).toBe(nobody)
  expect(find({ externalId: 'a', is: true })).toBe(of.a)
  expect(find({ externalId: 'a', is: false })).toBe(of.b)
  expect(find({ externalId: 'b', is: false })).toBe(of.a)
  expect(rows.nearest(query, 0.5, 1, { externalId: 'c', is: true })[0]).toBeUndefined()
  for (const id of vectors.keys()) if (id !== of.a) rows.remove(Buffer.from(id, 'hex'))
  expect(find({ externalId: 'a', is: true })).toBe(of.a)
  expect([rows.hasExternalId('a'), rows.hasExternalId('b')]).toEqual([true, false])
})

test('released memory is used again', async () => {
  const { kernel, arena, rows } = openFilled(5000)
  await rows.settle()
  const bytes = kernel.memory.buffer.byteLength
  rows.close()
  const population = createPopulation(8, length)
  const again = createFaceRows(kernel, arena, breathe)
  for (let i = 0; i < 5000; i++) again.add([faceOf(randomBytes(16), null, population.draw())])
  await again.settle()
  expect(kernel.memory.buffer.byteLength).toBe(bytes)
})
