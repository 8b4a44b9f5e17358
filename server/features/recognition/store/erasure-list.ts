import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment } from '#server/platform/store/tables.ts'
import type { Place } from './face-store.ts'

/**
 * Galleries that still have faces to remove. [Note: An erasure is noted] The commit that deletes the collection's key also
 * contains the note, so that the next sweep completes an interrupted erasure.
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
