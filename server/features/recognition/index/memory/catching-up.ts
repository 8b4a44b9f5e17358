import { setImmediate as breathe } from 'node:timers/promises'
import type { LocalGallery } from '#server/features/recognition/index/gallery.ts'
import type { ChangeLog, FaceChange } from '#server/features/recognition/store/change-log.ts'
import type { Face } from '#server/features/recognition/store/face.ts'
import type { FaceStore, Place } from '#server/features/recognition/store/face-store.ts'
import type { CachedGallery } from './gallery-cache.ts'

/** The number of changes to read before yielding to the event loop. */
const readAtOnce = 20

interface FaceSource {
  readonly changeLog: ChangeLog
  readonly faceStore: FaceStore
  readonly place: Place
  readonly key: Buffer
}

/**
 * Updates a gallery to a later revision of its collection. Returns false if the log does not have every change in between, in
 * which case it must be loaded again.
 */
export async function catchUp(cached: CachedGallery, revision: number, source: FaceSource): Promise<boolean> {
  while (cached.revision < revision) {
    const missed = Math.min(readAtOnce, revision - cached.revision)
    const numbers = Array.from({ length: missed }, (_, i) => cached.revision + 1 + i)
    for (const change of await Promise.all(numbers.map((number) => readChange(number, source)))) {
      if (change === undefined) return false
      apply(cached.gallery, change)
      cached.revision = change.revision
    }
    await breathe()
  }
  return cached.revision === revision
}

type ReadChange = Pick<FaceChange, 'revision' | 'went'> & { readonly came: readonly (Face | undefined)[] }

/** A change with its added faces; undefined for faces that have since been removed. */
async function readChange(
  revision: number,
  { changeLog, faceStore, place, key }: FaceSource,
): Promise<ReadChange | undefined> {
  const change = await changeLog.read(place, revision)
  if (change === undefined) return undefined
  const came = await Promise.all(change.came.map((faceId) => faceStore.get(place, key, faceId)))
  return { revision, went: change.went, came }
}

/**
 * [Note: Applied twice is applied once] The faces may change during the read, so a change may already have been applied, or
 * its face may be gone.
 */
function apply(gallery: LocalGallery, { came, went }: ReadChange): void {
  for (const faceId of went) gallery.remove(faceId)
  for (const face of came) {
    if (face === undefined) continue
    gallery.remove(face.faceId)
    gallery.add(face)
  }
}
