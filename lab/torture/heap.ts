import { deleteFace, indexFace, searchFace } from '../../shared/contract/recognition/recognition.ts'
import { resetCollection } from '../../shared/contract/recognition/verify.ts'
import type { Ledger } from './ledger.ts'
import type { Person } from './people.ts'

const removedAtOnce = 3

/**
 * A collection that contains the same person's face many times, because indexing does not search, and that is emptied in steps. The count is exact
 * as far as calls were answered.
 */
export interface Heap {
  add(): Promise<void>
  removeOne(): Promise<void>
  look(): Promise<void>
  /** Empties the collection step by step and counts. Returns false if a step was not answered and has to be continued. */
  empty(): Promise<boolean>
  readonly isBeingEmptied: boolean
}

export function createHeap(ledger: Ledger, collectionId: string, person: Person): Heap {
  const known = new Set<string>()
  /** Faces that may exist without our knowing, and known faces that may be gone. */
  let perhaps = 0
  let fewer = 0
  let emptied: { deleted: number } | undefined

  function judge(deleted: number): void {
    const wrong = miscount(deleted, known.size - fewer, known.size + perhaps)
    if (wrong !== '') ledger.blame(`${collectionId}: ${wrong}`)
    known.clear()
    perhaps = 0
    fewer = 0
    emptied = undefined
  }

  async function look(): Promise<void> {
    const found = await ledger.ask(searchFace, { body: { collectionId, image: person.image() } })
    if (found === undefined || emptied !== undefined) return
    const { faceId } = found.answer
    if (faceId === null && known.size > fewer) ledger.blame(`${collectionId}: acknowledged faces are lost`)
    if (faceId !== null && !known.has(faceId) && perhaps === 0)
      ledger.blame(`${collectionId}: ${faceId} came back, or was never acknowledged`)
  }

  return {
    look,
    get isBeingEmptied() {
      return emptied !== undefined
    },
    async add() {
      const added = await ledger.ask(indexFace, { body: { collectionId, image: person.image() } })
      if (added === undefined) perhaps++
      else known.add(added.answer.faceId ?? 'none')
    },
    async removeOne() {
      const [faceId] = known
      if (faceId === undefined) return
      known.delete(faceId)
      const removed = await ledger.ask(deleteFace, { query: { collectionId, faceId } })
      if (removed === undefined) perhaps++
    },
    async empty() {
      emptied ??= { deleted: 0 }
      for (;;) {
        const query = { collectionName: collectionId, entryLimit: removedAtOnce }
        const step = await ledger.ask(resetCollection, { query })
        if (step === undefined) {
          fewer += removedAtOnce
          return false
        }
        emptied.deleted += step.answer.numberOfEntriesDeleted
        if (step.answer.numberOfEntriesDeleted < removedAtOnce) break
      }
      judge(emptied.deleted)
      await look()
      return true
    },
  }
}

function miscount(deleted: number, least: number, most: number): string {
  if (deleted < least) return `${deleted} faces were there, at least ${least} acknowledged`
  return deleted > most ? `${deleted} faces were there, at most ${most} are accounted for` : ''
}
