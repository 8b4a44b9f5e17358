import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'
import { ownerOf, type Place } from './face-store.ts'

const keptForSeconds = 3600

/** Faces that were added or removed by one revision of a gallery. */
export interface FaceChange {
  readonly revision: number
  readonly came: readonly string[]
  readonly went: readonly string[]
}

/**
 * The latest changes of a gallery. [Note: Changes are logged] Each is stored under its revision in the commit that makes
 * it, for an hour, so that a process with the faces in memory reads the missed changes instead of all faces. The log
 * names faces by their random ids; it contains no embeddings or external ids.
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
