import { createCollection } from '../../shared/contract/recognition/recognition.ts'
import { resetCollection } from '../../shared/contract/recognition/verify.ts'
import { type Cell, forget, look, meet, newCell } from './cell.ts'
import { createHeap } from './heap.ts'
import type { Ledger } from './ledger.ts'
import { createPassingCollection } from './passing-collection.ts'
import type { Person } from './people.ts'

/** Collections that all clients use at the same time, but for different people. */
const shared = ['everybody', 'known by name'] as const

/** A client that indexes, searches and deletes step by step, and keeps track of what was acknowledged. */
export interface Client {
  /** Works until the server is gone or `goesOn` returns false. */
  work(goesOn: () => boolean): Promise<void>
  /** Compares the entire state with what was acknowledged. Returns false if the server went away in the meantime. */
  check(): Promise<boolean>
  /** The number of faces in a shared collection. Only valid after a check. */
  standing(collectionId: string): number
}

/** `own` are people that no other client indexes in the shared collections. */
export function createClient(
  ledger: Ledger,
  name: string,
  own: readonly Person[],
  everybody: readonly Person[],
): Client {
  const cells = own.flatMap((person) => [
    newCell(shared[0], person),
    newCell(shared[1], person, `${name} ${person.name}`),
  ])
  const heap = createHeap(ledger, `heap of ${name}`, everybody[0]!)
  const passing = createPassingCollection(ledger, `passing ${name}`, everybody.slice(0, 3))

  async function onCell(): Promise<void> {
    const cell = anyOf(cells)
    if (cell === undefined) return
    if (cell.doubt !== 'none' && !(await look(ledger, cell))) return
    const chance = Math.random()
    if (chance < 0.45) await meet(ledger, cell, chance < 0.15 ? 2 : 1)
    else if (chance < 0.8) await forget(ledger, cell)
    else await look(ledger, cell)
  }

  async function onHeap(): Promise<void> {
    const chance = Math.random()
    if (heap.isBeingEmptied || chance < 0.15) await heap.empty()
    else if (chance < 0.65) await heap.add()
    else if (chance < 0.9) await heap.removeOne()
    else await heap.look()
  }

  return {
    async work(goesOn) {
      while (goesOn()) await anyOf([onCell, onCell, onHeap, passing.act])!()
    },
    async check() {
      for (const cell of cells) if (!(await look(ledger, cell))) return false
      await heap.look()
      return passing.check()
    },
    standing: (collectionId) => standingIn(cells, collectionId),
  }
}

function standingIn(cells: readonly Cell[], collectionId: string): number {
  return cells.filter((cell) => cell.collectionId === collectionId && cell.faceId !== null).length
}

/** Creates the clients' shared collections unless they already exist. */
export async function prepare(ledger: Ledger, names: readonly string[]): Promise<void> {
  for (const collectionId of [...shared, ...names.map((name) => `heap of ${name}`)]) {
    await ledger.ask(createCollection, { body: { collectionId } })
  }
}

/** Empties and counts all shared collections, which reveals duplicate and unknown faces. */
export async function countAll(ledger: Ledger, clients: readonly Client[]): Promise<void> {
  for (const collectionName of shared) {
    const expected = clients.reduce((sum, client) => sum + client.standing(collectionName), 0)
    const emptied = await ledger.ask(resetCollection, { query: { collectionName, entryLimit: 100_000 } })
    const found = emptied?.answer.numberOfEntriesDeleted
    if (found !== expected)
      ledger.blame(`${collectionName}: ${found} faces stand there, ${expected} are known`)
  }
}

function anyOf<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)]
}
