import { setImmediate as breathe } from 'node:timers/promises'
import type { Face, SearchableFaces } from '#server/features/recognition/index/gallery.ts'
import type { ChangeLog, FaceChange } from '#server/features/recognition/store/change-log.ts'
import type { FaceStore, Place } from '#server/features/recognition/store/face-store.ts'
import type { KeptIndex } from './gallery-cache.ts'

/** The number of changes to read before yielding to the event loop. */
const readAtOnce = 20

interface Source {
  readonly changeLog: ChangeLog
  readonly faceStore: FaceStore
  readonly place: Place
  readonly key: Buffer
}

/**
 * Updates an index to a later revision of its gallery. Returns false if the log does not have every change in between, in
 * which case the index must be rebuilt.
 */
export async function catchUp(kept: KeptIndex, revision: number, source: Source): Promise<boolean> {
  while (kept.revision < revision) {
    const missed = Math.min(readAtOnce, revision - kept.revision)
    const numbers = Array.from({ length: missed }, (_, i) => kept.revision + 1 + i)
    for (const change of await Promise.all(numbers.map((number) => readChange(number, source)))) {
      if (change === undefined) return false
      apply(kept.index, change)
      kept.revision = change.revision
    }
    await breathe()
  }
  return kept.revision === revision
}

type ReadChange = Pick<FaceChange, 'revision' | 'went'> & { readonly came: readonly (Face | undefined)[] }

/** A change with its added faces; undefined for faces that have since been removed. */
async function readChange(
  revision: number,
  { changeLog, faceStore, place, key }: Source,
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
function apply(index: SearchableFaces, { came, went }: ReadChange): void {
  for (const faceId of went) index.remove(faceId)
  for (const face of came) {
    if (face === undefined) continue
    index.remove(face.faceId)
    index.add(face)
  }
}
