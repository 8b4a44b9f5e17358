import { expect, test } from 'vitest'
import { createCodeCache } from '#server/features/recognition/index/postgres/code-cache.ts'
import type { GalleryState } from '#server/features/recognition/index/postgres/gallery-rows.ts'
import type { Partition } from '#server/features/recognition/index/postgres/partition.ts'

const model = 'fr-feature/2'
/** Each row's code is its number, repeated eight times. */
const codeOf = (number: number) => Buffer.from(new BigInt64Array(8).fill(BigInt(number)).buffer)

/** A server that has these rows. */
function serverOf(rows: Set<number>) {
  const asked: (readonly [number, number])[] = []
  let isAway = false
  const partition = {
    place: 1,
    places: 1,
    schema: 'faces',
    async ask(_statement: unknown, [, after, until]: readonly unknown[]) {
      asked.push([after as number, until as number])
      if (isAway) throw new Error('away')
      const mine = [...rows].filter((number) => number > (after as number) && number <= (until as number))
      const codes = mine.map((number) => {
        const head = Buffer.alloc(12)
        head.writeBigInt64BE(BigInt(number))
        return Buffer.concat([head, codeOf(number)])
      })
      return [{ codes: Buffer.concat(codes) }]
    },
  } as unknown as Partition
  return {
    partition,
    asked,
    setAway(away: boolean) {
      isAway = away
    },
  }
}

function open(rows = new Set([1, 2, 3]), limits = { mostCodes: 100, leastCodes: 2 }) {
  let time = 0
  const server = serverOf(rows)
  const codes = createCodeCache({ ...limits, now: () => time })
  let madeAs = 'one'
  return {
    ...server,
    rows,
    wait(milliseconds: number) {
      time += milliseconds
    },
    putBack() {
      madeAs = 'another'
    },
    /** The numbers of the rows with exactly this code; undefined if the server has to scan for them. */
    async near(number: number, id = 7) {
      const lastSequence = Math.max(0, ...rows)
      const state = { id, madeAs, lastSequence } as GalleryState
      const sought = { code: codeOf(number), mostBits: 0, after: 0, until: lastSequence }
      const found = await codes.near(server.partition, { state, model, count: rows.size }, sought)
      return found && Array.from({ length: found.count }, (_, i) => found.sequenceOf(i))
    },
  }
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

test('the server scans until all codes are in memory; from then on only later ones are read', async () => {
  const { near, rows, asked } = open()
  expect(await near(2)).toBeUndefined()
  await settled()
  expect(await near(2)).toEqual([2])
  rows.add(9)
  expect(await Promise.all([near(9), near(9), near(3)])).toEqual([[9], [9], [3]])
  expect(asked).toEqual([
    [0, 3],
    [3, 9],
  ])
})

test('small galleries are left to their server, and so are those without room', async () => {
  const { near, rows, asked } = open(new Set([1]), { mostCodes: 3, leastCodes: 2 })
  await near(1)
  await settled()
  expect(await near(1)).toBeUndefined()
  for (const number of [2, 3, 4]) rows.add(number)
  await near(1)
  await settled()
  expect(await near(1)).toBeUndefined()
  expect(asked).toEqual([])
})

test('the least recently searched gallery makes room', async () => {
  const { near } = open(new Set([1, 2, 3]), { mostCodes: 6, leastCodes: 2 })
  for (const id of [1, 2]) await near(1, id)
  await settled()
  expect(await near(1, 2)).toEqual([1])
  expect(await near(1, 1)).toEqual([1])
  await near(1, 3)
  await settled()
  expect(await near(1, 3)).toEqual([1])
  expect(await near(1, 1)).toEqual([1])
  expect(await near(1, 2)).toBeUndefined()
})

test('a gallery that is not searched for half an hour is dropped when another gallery is loaded', async () => {
  const { near, wait } = open()
  await near(1, 1)
  await settled()
  wait(30 * 60_000 + 1)
  await near(1, 2)
  await settled()
  expect(await near(1, 2)).toEqual([1])
  expect(await near(1, 1)).toBeUndefined()
})

test('after deletions everything is loaded again after ten minutes', async () => {
  const { near, rows, wait, asked } = open()
  await near(1)
  await settled()
  rows.delete(1)
  // The server is asked for the row but does not have it.
  expect(await near(1)).toEqual([1])
  wait(10 * 60_000)
  expect(await near(1)).toBeUndefined()
  await near(1)
  await settled()
  expect(await near(1)).toEqual([])
  expect(asked).toHaveLength(2)
})

test("a number of codes below that of the gallery's faces is not trusted", async () => {
  const { near, rows } = open()
  await near(1)
  await settled()
  expect(await near(1)).toEqual([1])
  // None of the product's servers writes a row with a number from the past.
  rows.add(2.5)
  expect(await near(1)).toBeUndefined()
})

test('a restored gallery is loaded again', async () => {
  const { near, putBack } = open()
  await near(1)
  await settled()
  expect(await near(1)).toEqual([1])
  putBack()
  expect(await near(1)).toBeUndefined()
})

test('an unreachable server does not count as an empty answer', async () => {
  const { near, rows, setAway } = open()
  setAway(true)
  expect(await near(1)).toBeUndefined()
  await settled()
  setAway(false)
  expect(await near(1)).toBeUndefined()
  await settled()
  rows.add(4)
  setAway(true)
  await expect(near(4)).rejects.toThrow('away')
  setAway(false)
  expect(await near(4)).toEqual([4])
})
