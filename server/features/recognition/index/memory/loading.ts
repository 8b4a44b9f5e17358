import { setImmediate as breathe } from 'node:timers/promises'
import type { LocalGallery } from '#server/features/recognition/index/gallery.ts'
import type { FaceStore, Place } from '#server/features/recognition/store/face-store.ts'
import { valuesOf } from '#server/platform/store/batches/batches.ts'

/** The maximum number of faces that may wait for the gallery to accept them. */
const onTheirWayAtMost = 4000

interface FaceSource {
  readonly faceStore: FaceStore
  readonly place: Place
  readonly key: Buffer
}

/**
 * Loads all of a collection's faces into an empty gallery, and returns it once it has settled.
 * @throws if a face was altered, or sealed with another key; the gallery is then closed
 */
export async function loadFaces(gallery: LocalGallery, source: FaceSource): Promise<LocalGallery> {
  const { faceStore, place, key } = source
  const open = (record: Uint8Array) => gallery.add(faceStore.open(record, key))
  let taken = 0
  let onTheirWay = Promise.resolve()
  try {
    for await (const records of faceStore.records(place)) {
      if (gallery.records?.add(records, key) !== true) for (const record of valuesOf(records)) open(record)
      await breathe()
      taken += records.ends.length
      if (taken < onTheirWayAtMost) continue
      taken = 0
      await onTheirWay
      onTheirWay = gallery.settle()
      // This is awaited later. Until then, an error must not end the process.
      onTheirWay.catch(() => undefined)
    }
    await gallery.settle()
    // Opening such a record counts it if it belongs to another model, and throws if it was altered.
    for (const record of gallery.records?.takeRefused() ?? []) open(record)
    await gallery.settle()
    return gallery
  } catch (error) {
    gallery.close()
    throw error
  }
}
