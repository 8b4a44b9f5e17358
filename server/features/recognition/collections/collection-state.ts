import type { EmbeddingModel, SecondModel } from '#models/rules/embedding.ts'
import type { TemplateModels } from '#models/rules/templates.ts'
import type { FaceIndexes } from '#server/features/recognition/index/index-choice.ts'
import type { ChangeLog } from '#server/features/recognition/store/change-log.ts'
import {
  type Collection,
  keyOfCollection,
  newCollection,
} from '#server/features/recognition/store/collection.ts'
import type { ErasureList } from '#server/features/recognition/store/erasure-list.ts'
import type { FaceStore, Place } from '#server/features/recognition/store/face-store.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Clock, Guard } from '#server/platform/store/store.ts'
import type { GuardedRecord, Table } from '#server/platform/store/tables.ts'

/** A process's dependencies for reading and changing collections. */
export interface CollectionSources {
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

/** A collection as it was read. */
export interface CollectionState {
  /** False if it does not exist yet. The first change creates it. */
  readonly exists: boolean
  readonly record: Collection
  readonly place: Place
  /** The models for comparing faces and storing new ones. */
  readonly models: TemplateModels
  /** Holds until the record changes. */
  readonly unchanged: Guard
  /** The key that opens its faces. */
  key(): Buffer
}

/** A collection's state; that of a new and empty one if nothing was read. */
export function stateFrom(
  sources: CollectionSources,
  accountId: string,
  collectionId: string,
  read: GuardedRecord<Collection> | undefined,
): CollectionState {
  const { collections, keyRing, now } = sources
  const record = read?.value ?? newCollection(keyRing, now, { accountId, collectionId, description: null })
  return {
    exists: read !== undefined,
    record,
    place: { accountId, collectionId, galleryId: record.galleryId },
    models: chooseModels(sources, record),
    unchanged: read?.guard ?? collections.absent(accountId, collectionId),
    key: () => keyOfCollection(keyRing, accountId, record),
  }
}

/** If a collection's faces use the former model, new faces are stored with both models' embeddings, and with the pack's second one. */
function chooseModels(sources: CollectionSources, record: Collection): TemplateModels {
  const { model, secondModel, formerModel } = sources
  if (formerModel !== undefined && record.embeddingModel === formerModel)
    return { embeddingModel: model, secondModel, formerModel }
  return { embeddingModel: model, secondModel: chooseSecondModel(sources, record) }
}

/**
 * [Note: A collection pins the set of its models] Its first face decides if faces have one or two embeddings here. Pinned
 * embeddings that no available network produces are left alone; embeddings that are not pinned are not stored.
 */
function chooseSecondModel({ secondModel }: CollectionSources, record: Collection): SecondModel | undefined {
  const isNew = record.embeddingModel === undefined
  return isNew || record.secondModel === secondModel ? secondModel : undefined
}
