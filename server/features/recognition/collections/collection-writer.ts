import { IndexFull } from '#server/features/recognition/index/index-full.ts'
import type { Collection } from '#server/features/recognition/store/collection.ts'
import type { EnrolledFace, NewFace } from '#server/features/recognition/store/face.ts'
import type { Guard, Write } from '#server/platform/store/store.ts'
import { type CollectionChange, changeFaces, changeRecord } from './collection-change.ts'
import type { CollectionSources, CollectionState } from './collection-state.ts'

/** The changes to a collection as it was read. A commit may contain one of them. */
export interface CollectionWriter {
  /** Just the guard, for a decision that changes nothing. */
  readonly unchanged: Guard
  /** Creates the collection if it does not exist. */
  make(): CollectionChange
  /** Sets the description, creating the collection if it does not exist. */
  describe(description: string | null): CollectionChange
  /** Changes which index searches the collection, or which models its faces are pinned to. */
  amend(changes: Pick<Collection, 'faceIndex' | 'embeddingModel' | 'secondModel'>): CollectionChange
  /** Removes the record with its key, and notes that the faces, which can no longer be opened, still have to be erased. */
  erase(): CollectionChange
  /** Adds a face under a new ID, in constant time. To add several at once, use `addSeveral`. */
  add(face: NewFace): CollectionChange & { readonly faceId: string }
  addSeveral(faces: readonly NewFace[]): CollectionChange & { readonly faceIds: readonly string[] }
  /** Restores faces under their original IDs, in a collection that uses the same model. Skips faces that exist. */
  restore(
    faces: readonly EnrolledFace[],
    models: PinnedModels,
  ): Promise<CollectionChange & { readonly restoredCount: number; readonly strippedCount: number }>
  /** Replaces existing faces, for example by ones with other embeddings. Every process reads them again. */
  replace(faces: readonly EnrolledFace[]): CollectionChange
  /**
   * Gives a face a different external ID, or none, and removes the former ID's entry in the same commit. Undefined if the
   * face does not exist. The face is reported as a new one, so that every process learns its ID.
   */
  rename(faceId: string, externalId: string | null): Promise<CollectionChange | undefined>
  /** Removes faces. Missing ones are not counted. */
  remove(faceIds: readonly string[]): Promise<CollectionChange & { readonly removedCount: number }>
  /** Removes up to this many faces, in any order. */
  removeSome(most: number): Promise<CollectionChange & { readonly removedCount: number }>
}

/** The models that a collection's faces are pinned to. */
export interface PinnedModels {
  readonly embeddingModel: string
  readonly secondModel: string | undefined
}

export function openWriter(sources: CollectionSources, state: CollectionState): CollectionWriter {
  const { faceStore, indexes, erasures, now } = sources
  const { exists, record, place, models, unchanged } = state

  /** [Note: Refused before it is too late] One face too many would make the threads lose all of them. @throws {IndexFull} */
  function refuseBeyondMemory(count: number): void {
    const index = indexes[record.faceIndex ?? indexes.usual]
    const { revision } = record
    if (count > 0 && index?.hasRoomFor?.({ place, revision }, count) === false) throw new IndexFull()
  }

  function addSeveral(faces: readonly NewFace[]) {
    refuseBeyondMemory(faces.length)
    const key = state.key()
    const added = faces.map((face) => faceStore.writes.add(place, key, strip(face, models.secondModel)))
    const faceIds = added.map(({ faceId }) => faceId)
    const writes = added.flatMap((face) => face.writes)
    const { embeddingModel = faces[0]?.embeddingModel } = record
    const secondModel = record.embeddingModel === undefined ? models.secondModel : record.secondModel
    const pins = { embeddingModel, secondModel }
    return { ...changeFaces(sources, state, { came: faceIds }, writes, pins), faceIds }
  }

  return {
    unchanged,
    make: () => changeRecord(sources, state, {}),
    describe(description) {
      const updatedAt = new Date(now()).toISOString()
      return changeRecord(sources, state, exists ? { description, updatedAt } : { description })
    },
    amend: (changes) => changeRecord(sources, state, changes),
    erase() {
      indexes.memory.forget(place)
      return changeRecord(sources, state, undefined, [erasures.note(place)])
    },
    add(face) {
      const { faceIds, ...change } = addSeveral([face])
      return { ...change, faceId: faceIds[0]! }
    },
    addSeveral,
    async restore(faces, given) {
      const existing = await Promise.all(faces.map(({ faceId }) => faceStore.has(place, faceId)))
      const missing = faces.filter((_, i) => !existing[i])
      refuseBeyondMemory(missing.length)
      const secondModel = record.embeddingModel === undefined ? given.secondModel : record.secondModel
      const stripped = missing.map((face) => strip(face, secondModel))
      const key = state.key()
      const writes = stripped.flatMap((face) => faceStore.writes.restore(place, key, face))
      const came = missing.map(({ faceId }) => faceId)
      const pins = { embeddingModel: given.embeddingModel, secondModel }
      const strippedCount = missing.filter((face, i) => face.second && !stripped[i]!.second).length
      const change = changeFaces(sources, state, { came }, writes, pins)
      return { ...change, restoredCount: came.length, strippedCount }
    },
    replace(faces) {
      const key = state.key()
      const writes = faces.flatMap((face) => faceStore.writes.restore(place, key, face))
      return changeFaces(sources, state, { came: faces.map(({ faceId }) => faceId) }, writes)
    },
    async rename(faceId, externalId) {
      const key = state.key()
      const face = await faceStore.get(place, key, faceId)
      if (face === undefined) return undefined
      const writes = faceStore.writes.rename(place, key, face, externalId)
      return changeFaces(sources, state, { came: [faceId] }, writes)
    },
    async remove(faceIds) {
      const wanted = [...new Set(faceIds)]
      const removals = await Promise.all(wanted.map((faceId) => faceStore.writes.remove(place, faceId)))
      const went = wanted.filter((_, i) => removals[i]!.length > 0)
      return { ...changeFaces(sources, state, { went }, removals.flat()), removedCount: went.length }
    },
    async removeSome(most) {
      const went: string[] = []
      const writes: Write[] = []
      for await (const removal of faceStore.writes.removals(place)) {
        if (went.length >= most) break
        went.push(removal.faceId)
        writes.push(...removal.writes)
      }
      return { ...changeFaces(sources, state, { went }, writes), removedCount: went.length }
    },
  }
}

/** The face, without second embeddings by any other model. */
function strip<F extends NewFace>({ second, ...face }: F, secondModel: string | undefined) {
  return { ...face, ...(second !== undefined && second.model === secondModel && { second }) }
}
