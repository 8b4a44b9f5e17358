import { afterAll, beforeAll, expect, test } from 'vitest'
import { forget, look, meet, newCell } from '#lab/torture/cell.ts'
import { createHeap } from '#lab/torture/heap.ts'
import { createLedger, type Ledger } from '#lab/torture/ledger.ts'
import { peopleFor } from '#lab/torture/people.ts'
import type { Product } from '#lab/torture/product.ts'
import {
  createCollection,
  deleteFace,
  indexFace,
  searchOrIndexFace,
} from '#shared/contract/recognition/recognition.ts'
import { createRandomPeople } from '../../support/drawn/random-people.ts'
import { type Host, startHost } from '../../support/host.ts'

const [person, other] = peopleFor('drawn')
let host: Host
let collections = 0
beforeAll(async () => {
  host = await startHost({ ports: { analysis: createRandomPeople() } })
})
afterAll(() => host.close())

/** A product that executes every call but loses some of the answers. */
function ledgerOf(isLost: () => boolean = () => false): Ledger {
  const call: Product['call'] = async (endpoint, args) => {
    const answer = await host.call(endpoint, args as never)
    if (isLost()) throw new TypeError('fetch failed')
    return answer as never
  }
  return createLedger({ call })
}

async function newCollection(): Promise<string> {
  const collectionId = `torture ${++collections}`
  await host.call(createCollection, { body: { collectionId } })
  return collectionId
}

test('an acknowledged face that is missing is a violation', async () => {
  const ledger = ledgerOf()
  const cell = newCell(await newCollection(), person!)
  await meet(ledger, cell, 2)
  await look(ledger, cell)
  expect(ledger.violations).toEqual([])
  await host.call(deleteFace, { query: { collectionId: cell.collectionId, faceId: cell.faceId! } })
  await look(ledger, cell)
  expect(ledger.violations).toHaveLength(1)
})

test('a deleted face that is there again is a violation', async () => {
  const ledger = ledgerOf()
  const cell = newCell(await newCollection(), person!)
  await meet(ledger, cell, 1)
  await forget(ledger, cell)
  await look(ledger, cell)
  expect(ledger.violations).toEqual([])
  const body = { collectionId: cell.collectionId, image: person!.image() }
  await host.call(searchOrIndexFace, { body })
  await look(ledger, cell)
  expect(ledger.violations).toHaveLength(1)
})

test('either outcome of an unanswered call is accepted until it is observed', async () => {
  let isLost = true
  const ledger = ledgerOf(() => isLost)
  const cell = newCell(await newCollection(), person!)
  await meet(ledger, cell, 1)
  isLost = false
  await look(ledger, cell)
  const { faceId } = cell
  expect(faceId).not.toBeNull()
  isLost = true
  await forget(ledger, cell)
  isLost = false
  await look(ledger, cell)
  expect(cell.faceId).toBeNull()
  expect(ledger.figures).toEqual({ calls: 4, acknowledged: 2, unanswered: 2, refused: 0 })
  expect(ledger.violations).toEqual([])
})

test.each([
  [
    'fewer',
    async (ledger: Ledger, collectionId: string, faceId: string) => {
      await ledger.ask(deleteFace, { query: { collectionId, faceId } })
    },
  ],
  [
    'more',
    async (ledger: Ledger, collectionId: string) => {
      await ledger.ask(indexFace, { body: { collectionId, image: other!.image() } })
    },
  ],
])('a collection that is emptied of %s faces than expected is a violation', async (_name, alter) => {
  const ledger = ledgerOf()
  const collectionId = await newCollection()
  const heap = createHeap(ledger, collectionId, person!)
  for (let i = 0; i < 7; i++) await heap.add()
  await heap.removeOne()
  await heap.empty()
  expect(ledger.violations).toEqual([])
  await heap.add()
  await alter(ledger, collectionId, await firstFace(collectionId))
  await heap.empty()
  expect(ledger.violations).toHaveLength(1)
})

async function firstFace(collectionId: string): Promise<string> {
  const { faceId } = await host.call(searchOrIndexFace, { body: { collectionId, image: person!.image() } })
  return faceId!
}
