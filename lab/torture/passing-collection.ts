import {
  createCollection,
  deleteCollection,
  getCollection,
} from '../../shared/contract/recognition/recognition.ts'
import { Problem } from '../../shared/problem.ts'
import { type Cell, look, meet, newCell } from './cell.ts'
import type { Ledger } from './ledger.ts'
import type { Person } from './people.ts'

/** A collection that is created, filled, deleted with all its faces, and then created again with the same id. */
export interface PassingCollection {
  /** Creates it, adds to it, or deletes it, at random. */
  act(): Promise<void>
  /** Compares the collection with what was acknowledged. Returns false if this was not possible. */
  check(): Promise<boolean>
}

export function createPassingCollection(
  ledger: Ledger,
  collectionId: string,
  people: readonly Person[],
): PassingCollection {
  let cells: Cell[] = []
  let exists = false
  /** True if the last change to `exists` was acknowledged. */
  let certain = true

  async function make(): Promise<void> {
    const made = await ledger.ask(createCollection, { body: { collectionId } })
    exists = made !== undefined
    certain = exists
    cells = people.map((person) => newCell(collectionId, person))
  }

  async function remove(): Promise<void> {
    certain = (await ledger.ask(deleteCollection, { query: { collectionId } })) !== undefined
    exists = !certain
  }

  async function isThere(): Promise<boolean | undefined> {
    try {
      return (await ledger.ask(getCollection, { query: { collectionId } })) && true
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return false
      throw error
    }
  }

  async function check(): Promise<boolean> {
    const found = await isThere()
    if (found === undefined) return false
    if (certain && found !== exists)
      ledger.blame(`${collectionId}: ${exists ? 'made' : 'deleted'}, acknowledged, and undone`)
    exists = found
    certain = true
    if (!exists) return true
    for (const cell of cells) if (!(await look(ledger, cell))) return false
    return true
  }

  return {
    check,
    async act() {
      if ((!certain || cells.some(({ doubt }) => doubt !== 'none')) && !(await check())) return
      if (!exists) return make()
      if (Math.random() < 0.2) return remove()
      const cell = cells[Math.floor(Math.random() * cells.length)]
      if (cell !== undefined) await meet(ledger, cell, 1)
    },
  }
}
