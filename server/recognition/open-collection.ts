import type { EmbeddingModel } from '#models/embedder.ts'
import type { KeyRing } from '#server/security/key-ring.ts'
import type { Clock, Guard, Write } from '#server/store/store.ts'
import type { Read, Table } from '#server/store/tables.ts'
import { Problem } from '#shared/problem.ts'
import { type Collection, keyOfCollection, newCollection, newRevision } from './collection.ts'
import type { ErasureList } from './erasure-list.ts'
import type { FaceStore, NewFace, Place } from './face-store.ts'
import type { IndexCache } from './index-cache.ts'
import { createSearchableFaces, type SearchableFaces } from './searchable-faces.ts'

/** How many faces are opened between two breaths of the event loop. */
const loadedAtOnce = 200

/** Writes that hold only where nobody has changed the collection meanwhile. */
export interface Change {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
}

/** A collection as it was read, with what it takes to search and to change it. */
export interface OpenCollection {
  /** False: there is none yet, and the first change makes it. */
  readonly exists: boolean
  readonly record: Collection
  readonly place: Place
  /** The embedding model that is in use here. */
  readonly model: EmbeddingModel
  /**
   * [Note: A collection keeps to one model] Its faces are never compared with those of another one, nor mixed with them.
   * `pointer` is where the request names the collection.
   * @throws {Problem} 400 where the faces are of another model
   */
  refuseOtherModel(pointer: string): void
  /** The guard alone, for a decision that changes nothing. */
  readonly unchanged: Guard
  /** Its faces, ready to be searched. */
  faces(): Promise<SearchableFaces>
  /** Adds a face under a new id; costs the same however many there are. */
  add(face: NewFace): Change & { readonly faceId: string }
  /** Removes faces; those that are not there do not count. */
  remove(faceIds: readonly string[]): Promise<Change & { readonly removedCount: number }>
  /** Removes so many faces, whichever. */
  removeSome(most: number): Promise<Change & { readonly removedCount: number }>
  /** Sets the description, and makes the collection where it does not exist. */
  describe(description: string | null): Change
  /** Makes the collection where it does not exist. */
  make(): Change
  /** Removes the record with its key, and notes the rest: what is left of the faces cannot be opened any more. */
  erase(): Change
}

interface Dependencies {
  readonly collections: Table<Collection>
  readonly faceStore: FaceStore
  readonly erasures: ErasureList
  readonly keyRing: KeyRing
  readonly cache: IndexCache
  readonly model: EmbeddingModel
  readonly now: Clock
}

export function openCollection(
  { collections, faceStore, erasures, keyRing, cache, model, now }: Dependencies,
  accountId: string,
  collectionId: string,
  read: Read<Collection> | undefined,
): OpenCollection {
  const record = read?.value ?? newCollection(keyRing, now, { accountId, collectionId, description: null })
  const unchanged = read?.guard ?? collections.absent(accountId, collectionId)
  const place = { accountId, collectionId, galleryId: record.galleryId }
  const key = () => keyOfCollection(keyRing, accountId, record)

  function changed(changes: Partial<Collection> | undefined, writes: readonly Write[]): Change {
    const after = changes && { ...record, ...changes }
    return { writes: [collections.write(accountId, collectionId, after), ...writes], guards: [unchanged] }
  }

  /** A change of the faces: whoever keeps them in memory learns what the new revision means. */
  function changedFaces(
    writes: readonly Write[],
    apply: (index: SearchableFaces) => void,
    embeddingModel = record.embeddingModel,
  ): Change {
    const revision = newRevision()
    cache.expect(record.galleryId, { from: record.revision, to: revision, apply })
    return changed({ revision, ...(embeddingModel !== undefined && { embeddingModel }) }, writes)
  }

  function removed(faceIds: readonly string[], writes: readonly Write[]) {
    const change =
      faceIds.length === 0
        ? { writes: [], guards: [unchanged] }
        : changedFaces(writes, (index) => faceIds.forEach(index.remove))
    return { ...change, removedCount: faceIds.length }
  }

  return {
    exists: read !== undefined,
    record,
    place,
    unchanged,
    model,
    refuseOtherModel(pointer) {
      const { embeddingModel = model } = record
      if (embeddingModel !== model) throw otherModel(embeddingModel, model, pointer)
    },
    async faces() {
      const kept = cache.get(record.galleryId, record.revision)
      if (kept !== undefined) return kept
      const index = await load(faceStore, place, key(), model)
      if (read !== undefined) cache.keep(record.galleryId, record.revision, index)
      return index
    },
    add(face) {
      const { faceId, writes } = faceStore.add(place, key(), face)
      const apply = (index: SearchableFaces) => index.add({ faceId, ...face })
      return { ...changedFaces(writes, apply, record.embeddingModel ?? face.embeddingModel), faceId }
    },
    async remove(faceIds) {
      const found: string[] = []
      const writes: Write[] = []
      for (const faceId of new Set(faceIds)) {
        const removal = await faceStore.remove(place, faceId)
        if (removal.length > 0) found.push(faceId)
        writes.push(...removal)
      }
      return removed(found, writes)
    },
    async removeSome(most) {
      const found: string[] = []
      const writes: Write[] = []
      for await (const removal of faceStore.removals(place)) {
        if (found.length >= most) break
        found.push(removal.faceId)
        writes.push(...removal.writes)
      }
      return removed(found, writes)
    },
    describe: (description) =>
      changed(
        read === undefined ? { description } : { description, updatedAt: new Date(now()).toISOString() },
        [],
      ),
    make: () => changed({}, []),
    erase() {
      cache.forget(record.galleryId)
      return changed(undefined, [erasures.note(place)])
    },
  }
}

function otherModel(made: string, used: string, pointer: string): Problem {
  const message = `Its faces are of the embedding model ${made}; this server makes those of ${used}, which cannot be compared.`
  return new Problem('invalid_request', 'The collection belongs to another embedding model.', {
    errors: [{ pointer, message }],
  })
}

async function load(
  faceStore: FaceStore,
  place: Place,
  key: Buffer,
  model: EmbeddingModel,
): Promise<SearchableFaces> {
  const index = createSearchableFaces(model)
  for await (const face of faceStore.list(place, key)) {
    index.add(face)
    if (index.size % loadedAtOnce === 0) await new Promise((breathed) => setImmediate(breathed))
  }
  return index
}
