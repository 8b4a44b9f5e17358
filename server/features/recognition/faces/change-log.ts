import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { ownerOf, type Place } from './face-store.ts'

const keptForSeconds = 3600

/** Which faces came and went with one revision of a gallery. */
export interface FaceChange {
  readonly revision: number
  readonly came: readonly string[]
  readonly went: readonly string[]
}

/**
 * The latest changes of a gallery. [Note: Changes are logged] Each is under its revision, in the commit that makes it,
 * for an hour: a process that holds the faces in memory reads the changes that it missed, not all faces again. The log
 * names faces by their random ids; embeddings and external ids are not in it.
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
