import type { CollectionAccess } from '#server/features/recognition/recognition.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'

/** A face that a reviewer added to a collection of faces that must not pass. */
export interface AddedFace {
  readonly accountId: string
  readonly collectionId: string
  readonly faceId: string
  /** Null for a session that named no person. */
  readonly externalId: string | null
  readonly note: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** The faces that reviewers added, with their notes and their ends. */
export interface AddedFaces {
  write(face: AddedFace): Write
  /**
   * Removes faces that have expired, from their collections too. Called in every sweep.
   * @throws the first collection's error, after all of them
   */
  expire(): Promise<void>
  /** The faces that were added of a person, with their notes. */
  ofPerson(accountId: string, externalId: string): Promise<AddedFace[]>
  /** Erases the notes about a person; the faces themselves are erased by their external ID. */
  forget(accountId: string, externalId: string): Promise<void>
}

/** [Note: Notes are sealed] A note and an external ID are data about a person, while the rest only names random IDs. */
interface Stored extends Pick<AddedFace, 'accountId' | 'collectionId' | 'faceId' | 'expiresAt'> {
  readonly sealed: string
}

export function createAddedFaces(
  store: Store,
  keyRing: KeyRing,
  access: Pick<CollectionAccess, 'change'>,
  now: Clock,
): AddedFaces {
  const table = createTable<Stored>(store, 'denied-face')
  const idOf = ({ accountId, collectionId, faceId }: Stored | AddedFace) =>
    JSON.stringify([accountId, collectionId, faceId])

  function opened({ sealed, ...place }: Stored): AddedFace {
    const content = keyRing.open('denied-face', idOf({ sealed, ...place }), sealed).toString()
    return { ...place, ...(JSON.parse(content) as Pick<AddedFace, 'externalId' | 'note'>) }
  }

  async function ofPerson(accountId: string, externalId: string): Promise<AddedFace[]> {
    const all = await allOf(table.listReadable(deployment))
    const own = all.filter((one) => one.accountId === accountId).map(opened)
    return own.filter((one) => one.externalId === externalId)
  }

  async function remove(one: Stored): Promise<void> {
    await access.change(one.accountId, one.collectionId, async (collection, writer) => {
      // Otherwise, the change would create a collection that has been deleted in the meantime.
      if (!collection.exists) return { answer: undefined }
      return { answer: undefined, change: await writer.remove([one.faceId]) }
    })
    await table.remove(deployment, idOf(one))
  }

  return {
    ofPerson,
    write({ externalId, note, ...place }) {
      const id = idOf({ externalId, note, ...place })
      const sealed = keyRing.seal('denied-face', id, Buffer.from(JSON.stringify({ externalId, note })))
      return table.write(deployment, id, { ...place, sealed })
    },
    async expire() {
      const over = (await allOf(table.listReadable(deployment))).filter(({ expiresAt }) => expiresAt <= now())
      const failures: unknown[] = []
      for (const one of over) await remove(one).catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
    async forget(accountId, externalId) {
      for (const one of await ofPerson(accountId, externalId)) await table.remove(deployment, idOf(one))
    },
  }
}
