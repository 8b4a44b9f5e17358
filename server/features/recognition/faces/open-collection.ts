import type { EmbeddingModel, SecondModel } from '#models/rules/embedding.ts'
import { separated, type TemplateModels, type Templates } from '#models/rules/templates.ts'
import { type Collection, keyOfCollection, newCollection } from '#server/features/recognition/collection.ts'
import type { ErasureList } from '#server/features/recognition/erasure/erasure-list.ts'
import { faceIdFrom } from '#server/features/recognition/search/face-id.ts'
import type { Among } from '#server/features/recognition/search/face-rows.ts'
import { IndexFull } from '#server/features/recognition/search/index-full.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Guard, Write } from '#server/platform/store/store.ts'
import type { GuardedRecord, Table } from '#server/platform/store/tables.ts'
import { Problem } from '#shared/problem.ts'
import type { ChangeLog } from './change-log.ts'
import { type Change, type Changeable, changed, changedFaces } from './changed-faces.ts'
import { closestFace, type Searched } from './closest-face.ts'
import type { FaceStore, KeptFace, NewFace, Place } from './face-store.ts'
import { chosenIndex, type FaceIndexes } from './index-choice.ts'
import type { FaceIndex, IndexedCollection, IndexKind } from './indexed-collections.ts'
import { type Nearest, nearestFaces } from './nearest-faces.ts'
import { renamed } from './renaming.ts'
import { renewal, settled, turned, unseenAmong } from './renewal.ts'
import type { Hit, SearchedFaces } from './searchable-faces.ts'

/** A collection as it was read, with everything needed to search and change it. */
export interface OpenCollection {
  /** False if it does not exist yet. The first change creates it. */
  readonly exists: boolean
  readonly record: Collection
  readonly place: Place
  /** The models for comparing faces and storing new ones. */
  readonly models: TemplateModels
  /**
   * [Note: A collection keeps to one model] Its faces are never compared or mixed with another model's faces.
   * `pointer` is the place in the request that names the collection.
   * @throws {Problem} 400 if the faces belong to another model, unless it is the former model that is still kept
   */
  refuseOtherModel(pointer: string): void
  /** Just the guard, for a decision that changes nothing. */
  readonly unchanged: Guard
  /** A face's embeddings by the current networks, in the form compared here: `embedding` is one vector, or two joined. */
  templatesOf(embedding: ArrayLike<number>): Templates
  /** The most similar face, if any candidate reaches the score; see closest-face.ts. */
  closest(templates: Templates, atLeast: number, among?: Among): Promise<Hit | undefined>
  /** Up to `most` of the most similar faces that reach the score; see nearest-faces.ts. */
  nearest(templates: Templates, atLeast: number, most: number, perPerson: boolean): Promise<Nearest>
  /** The change for a face that only the former model identified with certainty; see renewal.ts. */
  renewal(hit: Hit | undefined, templates: Templates): Promise<Change | undefined>
  /** Removes the former model's embeddings; see renewal.ts. */
  settled(faceIds: readonly string[]): Promise<Change & { readonly settledCount: number }>
  /** Those of the given faces that lack an embedding by the current model. */
  unseenAmong(faceIds: readonly string[]): Promise<readonly string[]>
  /** Converts the collection to the current model; undefined if a face belongs to another model. */
  turned(): Promise<Change | undefined>
  /**
   * Its faces, settled and ready for search, while the collection is being worked on. @throws like the index: see
   * indexed-collections.ts
   */
  faces(): Promise<SearchedFaces>
  /** The index that searches this collection's faces. */
  readonly index: FaceIndex
  /** The collection in the form that an index accepts. */
  indexed(): IndexedCollection
  /** Moves this collection's search to another index. */
  moved(to: IndexKind): Change
  /**
   * Adds a face under a new ID, in constant time. A commit may contain one change to the faces; to add several at once,
   * use `addSeveral`.
   */
  add(face: NewFace): Change & { readonly faceId: string }
  addSeveral(faces: readonly NewFace[]): Change & { readonly faceIds: readonly string[] }
  /** Restores faces under their original IDs, in a collection that uses the same model. Skips faces that exist. */
  restore(
    faces: readonly KeptFace[],
    models: PinnedModels,
  ): Promise<Change & { readonly restoredCount: number; readonly strippedCount: number }>
  /** All faces, opened, in no particular order. */
  list(): AsyncIterable<KeptFace>
  /** A page of faces after a given one, in the same order. */
  page(limit: number, afterFaceId?: string): Promise<KeptFace[]>
  get(faceId: string): Promise<KeptFace | undefined>
  /** A face ID for this collection, derived deterministically from the parts. */
  idFrom(...parts: readonly (string | Uint8Array)[]): string
  /** Gives a face a different external ID, or none; undefined if the face does not exist. */
  rename(faceId: string, externalId: string | null): Promise<Change | undefined>
  /** Removes faces. Missing ones are not counted. */
  remove(faceIds: readonly string[]): Promise<Change & { readonly removedCount: number }>
  /** Removes up to this many faces, in any order. */
  removeSome(most: number): Promise<Change & { readonly removedCount: number }>
  /** Sets the description, creating the collection if it does not exist. */
  describe(description: string | null): Change
  /** Creates the collection if it does not exist. */
  make(): Change
  /** Removes the record with its key, and notes that the faces, which can no longer be opened, still have to be erased. */
  erase(): Change
}

/** A process's dependencies for reading and changing collections. */
export interface Collected {
  readonly collections: Table<Collection>
  readonly faceStore: FaceStore
  readonly changeLog: ChangeLog
  readonly erasures: ErasureList
  readonly keyRing: KeyRing
  readonly indexes: FaceIndexes
  readonly model: EmbeddingModel
  /** The model for new faces' second embeddings; undefined if there is no network for them. */
  readonly secondModel?: SecondModel | undefined
  /** The model that may be the only one for older faces. */
  readonly formerModel?: EmbeddingModel | undefined
  readonly now: Clock
}

/** The models that a collection's faces are pinned to. */
export interface PinnedModels {
  readonly embeddingModel: string
  readonly secondModel: string | undefined
}

/** The dependencies, along with one collection's state. */
type Opened = Collected & Changeable

export function openCollection(
  known: Collected,
  accountId: string,
  collectionId: string,
  read: GuardedRecord<Collection> | undefined,
): OpenCollection {
  const { collections, faceStore, keyRing, model, now } = known
  const record = read?.value ?? newCollection(keyRing, now, { accountId, collectionId, description: null })
  const unchanged = read?.guard ?? collections.absent(accountId, collectionId)
  const place = { accountId, collectionId, galleryId: record.galleryId }
  const key = () => keyOfCollection(keyRing, accountId, record)
  const models = modelsOf(known, record)
  const opened: Opened = { ...known, record, place, unchanged, key, models }

  return {
    exists: read !== undefined,
    record,
    place,
    unchanged,
    models,
    refuseOtherModel(pointer) {
      const { embeddingModel = model } = record
      if (embeddingModel !== model && models.formerModel === undefined)
        throw otherModel(embeddingModel, model, pointer)
    },
    templatesOf: (embedding) =>
      separated(embedding, { embeddingModel: model, secondModel: known.secondModel }),
    closest: async (templates, atLeast, among) =>
      closestFace(await searched(opened), { templates, atLeast, among }),
    nearest: async (templates, atLeast, most, perPerson) =>
      nearestFaces(await searched(opened), { templates, atLeast, most, perPerson }),
    renewal: async (hit, templates) =>
      hit?.isFormer === true ? renewal(opened, await readyFaces(opened), hit, templates) : undefined,
    settled: (faceIds) => settled(opened, faceIds),
    unseenAmong: (faceIds) => unseenAmong(opened, faceIds),
    turned: () => turned(opened),
    faces: () => readyFaces(opened),
    get index() {
      return indexOf(opened)
    },
    indexed: () => ({ place, key: key(), revision: record.revision }),
    moved: (faceIndex) => changed(opened, { faceIndex }),
    add(face) {
      const { faceIds, ...change } = addSeveral(opened, [face])
      return { ...change, faceId: faceIds[0]! }
    },
    addSeveral: (faces) => addSeveral(opened, faces),
    restore: (faces, pins) => restore(opened, faces, pins),
    list: () => faceStore.list(place, key()),
    page: (limit, afterFaceId) => faceStore.page(place, key(), limit, afterFaceId),
    get: (faceId) => faceStore.get(place, key(), faceId),
    idFrom: (...parts) => faceIdFrom(key(), ...parts),
    rename: (faceId, externalId) => renamed(opened, faceId, externalId),
    remove: (faceIds) => remove(opened, faceIds),
    removeSome: (most) => removeSome(opened, most),
    describe: (description) => described(opened, read !== undefined, description),
    make: () => changed(opened, {}),
    erase: () => erased(opened),
  }
}

function described(opened: Opened, exists: boolean, description: string | null): Change {
  const updatedAt = new Date(opened.now()).toISOString()
  return changed(opened, exists ? { description, updatedAt } : { description })
}

function erased(opened: Opened): Change {
  opened.indexes.memory.forget(opened.place)
  return changed(opened, undefined, [opened.erasures.note(opened.place)])
}

async function searched(opened: Opened): Promise<Searched> {
  return { ...opened, key: opened.key(), faces: await readyFaces(opened) }
}

function readyFaces(opened: Opened): Promise<SearchedFaces> {
  const { record, place } = opened
  return indexOf(opened).ready({ place, key: opened.key(), revision: record.revision })
}

function indexOf({ indexes, record }: Opened): FaceIndex {
  return chosenIndex(indexes, record.faceIndex)
}

/** [Note: Refused before it is too late] One face too many would make the threads lose all of them. @throws {IndexFull} */
function refuseBeyondMemory({ indexes, record, place }: Opened, count: number): void {
  const index = indexes[record.faceIndex ?? indexes.usual]
  const { revision } = record
  if (count > 0 && index?.hasRoomFor?.({ place, revision }, count) === false) throw new IndexFull()
}

/** If a collection's faces use the former model, new faces are stored with both models' embeddings, and with the pack's second one. */
function modelsOf(known: Collected, record: Collection): TemplateModels {
  const { model, secondModel, formerModel } = known
  if (formerModel !== undefined && record.embeddingModel === formerModel)
    return { embeddingModel: model, secondModel, formerModel }
  return { embeddingModel: model, secondModel: secondModelOf(known, record) }
}

/**
 * [Note: A collection pins the set of its models] Its first face decides if faces have one or two embeddings here. Pinned
 * embeddings that no available network produces are left alone; embeddings that are not pinned are not stored.
 */
function secondModelOf({ secondModel }: Collected, record: Collection): SecondModel | undefined {
  const isNew = record.embeddingModel === undefined
  return isNew || record.secondModel === secondModel ? secondModel : undefined
}

function addSeveral(opened: Opened, faces: readonly NewFace[]) {
  refuseBeyondMemory(opened, faces.length)
  const { faceStore, place, record, models } = opened
  const key = opened.key()
  const added = faces.map((face) => faceStore.add(place, key, kept(face, models.secondModel)))
  const faceIds = added.map(({ faceId }) => faceId)
  const writes = added.flatMap((face) => face.writes)
  const { embeddingModel = faces[0]?.embeddingModel } = record
  const secondModel = record.embeddingModel === undefined ? models.secondModel : record.secondModel
  return { ...changedFaces(opened, { came: faceIds }, writes, { embeddingModel, secondModel }), faceIds }
}

/** The face, without second embeddings by any other model. */
function kept<Of extends NewFace>({ second, ...face }: Of, secondModel: string | undefined) {
  return { ...face, ...(second !== undefined && second.model === secondModel && { second }) }
}

async function restore(opened: Opened, faces: readonly KeptFace[], given: PinnedModels) {
  const { faceStore, place, record } = opened
  const known = await Promise.all(faces.map(({ faceId }) => faceStore.has(place, faceId)))
  const { embeddingModel } = given
  const secondModel = record.embeddingModel === undefined ? given.secondModel : record.secondModel
  const missing = faces.filter((_, i) => !known[i])
  refuseBeyondMemory(opened, missing.length)
  const put = missing.map((face) => kept(face, secondModel))
  const key = opened.key()
  const writes = put.flatMap((face) => faceStore.restore(place, key, face))
  const came = missing.map(({ faceId }) => faceId)
  const change = changedFaces(opened, { came }, writes, { embeddingModel, secondModel })
  const strippedCount = missing.filter((face, i) => face.second !== undefined && !put[i]!.second).length
  return { ...change, restoredCount: came.length, strippedCount }
}

async function remove(opened: Opened, faceIds: readonly string[]) {
  const asked = [...new Set(faceIds)]
  const removals = await Promise.all(asked.map((faceId) => opened.faceStore.remove(opened.place, faceId)))
  const went = asked.filter((_, i) => removals[i]!.length > 0)
  return { ...changedFaces(opened, { went }, removals.flat()), removedCount: went.length }
}

async function removeSome(opened: Opened, most: number) {
  const went: string[] = []
  const writes: Write[] = []
  for await (const removal of opened.faceStore.removals(opened.place)) {
    if (went.length >= most) break
    went.push(removal.faceId)
    writes.push(...removal.writes)
  }
  return { ...changedFaces(opened, { went }, writes), removedCount: went.length }
}

function otherModel(made: string, used: string, pointer: string): Problem {
  const message = `Its faces have the embedding model ${made}, which cannot be compared with this server's ${used}.`
  return new Problem('invalid_request', 'The collection was created with another embedding model.', {
    errors: [{ pointer, message }],
  })
}
