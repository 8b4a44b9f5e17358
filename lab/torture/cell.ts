import { deletePerson } from '../../shared/contract/account/person.ts'
import { deleteFace, searchFace, searchOrIndexFace } from '../../shared/contract/recognition/recognition.ts'
import { verifyDuplicate } from '../../shared/contract/recognition/verify.ts'
import type { Ledger } from './ledger.ts'
import type { Person } from './people.ts'

/** Our knowledge about one person's face in a collection, which may contain at most one. */
export interface Cell {
  readonly collectionId: string
  readonly person: Person
  /** The person's external id, if faces are indexed with one. */
  readonly externalId?: string
  /** The acknowledged face. */
  faceId: string | null
  /** The possible effect of a call without an answer. */
  doubt: 'none' | 'added' | 'removed'
}

export function newCell(collectionId: string, person: Person, externalId?: string): Cell {
  return { collectionId, person, ...(externalId && { externalId }), faceId: null, doubt: 'none' }
}

/** Searches for the face. An acknowledged face must be found, but a face that was deleted or never added must not. */
export async function look(ledger: Ledger, cell: Cell): Promise<boolean> {
  const { collectionId, person } = cell
  const found = await ledger.ask(searchFace, { body: { collectionId, image: person.image() } })
  if (found !== undefined) settle(ledger, cell, found.answer.faceId)
  return found !== undefined
}

function settle(ledger: Ledger, cell: Cell, found: string | null): void {
  const { faceId, doubt } = cell
  const isRight = found === faceId || (doubt === 'removed' && found === null) || doubt === 'added'
  if (!isRight)
    ledger.blame(`${nameOf(cell)}: ${faceId ?? 'nobody'} was acknowledged, ${found ?? 'nobody'} is there`)
  cell.faceId = found
  cell.doubt = 'none'
}

/** Searches or indexes several times concurrently. At most one call may add the face, and all of them must return the same one. */
export async function meet(ledger: Ledger, cell: Cell, times: number): Promise<void> {
  const calls = Array.from({ length: times }, () =>
    (cell.externalId === undefined ? find : verify)(ledger, cell),
  )
  const answers = (await Promise.all(calls)).filter((answer) => answer !== undefined)
  const ids = new Set(answers.map(({ faceId }) => faceId))
  const added = answers.filter(({ isNew }) => isNew).length
  if (ids.size > 1 || added > 1) ledger.blame(`${nameOf(cell)}: stands ${Math.max(added, ids.size)} times`)
  if (cell.faceId !== null) {
    if (answers.some(({ faceId }) => faceId !== cell.faceId))
      ledger.blame(`${nameOf(cell)}: was lost, and added anew`)
  } else if (added === 0 && answers.length === times) {
    ledger.blame(`${nameOf(cell)}: had no face, and one was found`)
  }
  const [faceId] = ids
  if (faceId !== undefined) cell.faceId = faceId
  else if (cell.faceId === null) cell.doubt = 'added'
}

interface MetPerson {
  readonly faceId: string
  readonly isNew: boolean
}

async function find(ledger: Ledger, { collectionId, person }: Cell): Promise<MetPerson | undefined> {
  const found = await ledger.ask(searchOrIndexFace, { body: { collectionId, image: person.image() } })
  return found && { faceId: found.answer.faceId ?? 'none', isNew: found.answer.resultSource === 'Index' }
}

async function verify(ledger: Ledger, cell: Cell): Promise<MetPerson | undefined> {
  const { collectionId: collectionName, externalId, person } = cell
  const query = { collectionName, externalIdentifier: externalId!, includeDemographicalInfo: false }
  const found = await ledger.ask(verifyDuplicate, { query, body: { imageData: person.image().bytes } })
  if (found === undefined) return undefined
  const { faceId, isDuplicate, externalIdentifierOfDuplicate: duplicateOf } = found.answer
  if (isDuplicate && duplicateOf !== externalId) ledger.blame(`${nameOf(cell)}: is told to be ${duplicateOf}`)
  return { faceId: faceId ?? 'none', isNew: !isDuplicate }
}

/** Deletes the face by the person's external id if there is one, and otherwise by its own id. */
export async function forget(ledger: Ledger, cell: Cell): Promise<void> {
  const isGone = cell.externalId === undefined ? await deleteOne(ledger, cell) : await erase(ledger, cell)
  if (isGone) cell.faceId = null
  else if (cell.faceId !== null) cell.doubt = 'removed'
}

async function deleteOne(ledger: Ledger, { collectionId, faceId }: Cell): Promise<boolean> {
  if (faceId === null) return true
  return (await ledger.ask(deleteFace, { query: { collectionId, faceId } })) !== undefined
}

async function erase(ledger: Ledger, cell: Cell): Promise<boolean> {
  const erased = await ledger.ask(deletePerson, { query: { externalId: cell.externalId! } })
  if (erased === undefined) return false
  const expected = cell.faceId === null ? 0 : 1
  const { facesDeleted } = erased.answer
  if (facesDeleted !== expected)
    ledger.blame(`${nameOf(cell)}: ${facesDeleted} faces deleted, not ${expected}`)
  return true
}

function nameOf({ collectionId, person }: Cell): string {
  return `${person.name} in ${collectionId}`
}
