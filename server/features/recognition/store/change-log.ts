import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { ownerOf, type Place } from './face-store.ts'

const keptForSeconds = 3600

/** The faces that one gallery revision added or removed. */
export interface FaceChange {
  readonly revision: number
  readonly came: readonly string[]
  readonly went: readonly string[]
}

/**
 * A gallery's latest changes. [Note: Changes are logged] Each change is stored under its revision for an hour, in the commit
 * that makes it, so that a process with the faces in memory reads only the changes it missed. The log refers to faces by
 * their random IDs, and does not contain embeddings or external IDs.
 */
export interface ChangeLog {
  note(place: Place, change: FaceChange): Write
  read(place: Place, revision: number): Promise<FaceChange | undefined>
  /** The writes that remove the whole log. */
  removals(place: Place): AsyncIterable<Write>
}

export function createChangeLog(store: Store): ChangeLog {
  const changes = createTable<FaceChange>(store, 'face-change')
  return {
    note: (place, change) => changes.write(ownerOf(place), String(change.revision), change, keptForSeconds),
    read: (place, revision) => changes.get(ownerOf(place), String(revision)),
    async *removals(place) {
      for await (const { revision } of changes.list(ownerOf(place))) {
        yield changes.write(ownerOf(place), String(revision), undefined)
      }
    },
  }
}
