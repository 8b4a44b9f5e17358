import { setImmediate as breathe } from 'node:timers/promises'
import { valuesOf } from '#server/platform/store/batches/batches.ts'
import type { FaceStore, Place } from './face-store.ts'
import type { SearchableFaces } from './searchable-faces.ts'

/** How many faces may wait until the index has taken them in. */
const onTheirWayAtMost = 4000

interface Source {
  readonly faceStore: FaceStore
  readonly place: Place
  readonly key: Buffer
}

/**
 * Puts every face of a collection into an index that is empty, and answers it, settled.
 * @throws when a face was altered, or sealed with another key; the index is closed then
 */
export async function loadFaces(index: SearchableFaces, source: Source): Promise<SearchableFaces> {
  const { faceStore, place, key } = source
  const open = (record: Uint8Array) => index.add(faceStore.open(record, key))
  let taken = 0
  let onTheirWay = Promise.resolve()
  try {
    for await (const records of faceStore.records(place)) {
      if (index.addRecords?.(records, key) !== true) for (const record of valuesOf(records)) open(record)
      await breathe()
      taken += records.ends.length
      if (taken < onTheirWayAtMost) continue
      taken = 0
      await onTheirWay
      onTheirWay = index.settle()
      // It is waited for later, and fails no process before.
      onTheirWay.catch(() => undefined)
    }
    await index.settle()
    // Of another model or of nobody that can be seen, which is only counted; or altered, which is said here.
    for (const record of index.refusedRecords?.() ?? []) open(record)
    await index.settle()
    return index
  } catch (error) {
    index.close()
    throw error
  }
}
