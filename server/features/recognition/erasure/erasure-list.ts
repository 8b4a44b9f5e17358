import type { Place } from '#server/features/recognition/faces/face-store.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'

/**
 * The places whose faces are still to be removed. [Note: An erasure is noted] in the commit that takes the collection's
 * key away: whatever interrupts the rest, the next sweep finishes it.
 */
export interface ErasureList {
  note(place: Place): Write
  strike(place: Place): Write
  all(): AsyncIterable<Place>
}

export function createErasureList(store: Store): ErasureList {
  const places = createTable<Place>(store, 'collection-erasure')
  return {
    note: (place) => places.write(deployment, place.galleryId, place),
    strike: ({ galleryId }) => places.write(deployment, galleryId, undefined),
    all: () => places.listReadable(deployment),
  }
}
