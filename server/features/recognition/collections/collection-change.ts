import type { TemplateModels } from '#models/rules/templates.ts'
import type { ChangeLog } from '#server/features/recognition/store/change-log.ts'
import type { Collection } from '#server/features/recognition/store/collection.ts'
import type { FaceStore, Place } from '#server/features/recognition/store/face-store.ts'
import type { Guard, Write } from '#server/platform/store/store.ts'
import type { Table } from '#server/platform/store/tables.ts'

/** Writes that apply only if the collection has not changed in the meantime. */
export interface Change {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
  /** The faces' new revision, if any of them change. */
  readonly revision?: number
}

/** A collection, and the dependencies for changing its faces. */
export interface Changeable {
  readonly collections: Table<Collection>
  readonly faceStore: FaceStore
  readonly changeLog: ChangeLog
  readonly record: Collection
  readonly place: Place
  readonly unchanged: Guard
  /** The models used to compare faces here. */
  readonly models: TemplateModels
  key(): Buffer
}

export function changed(
  { collections, record, place, unchanged }: Changeable,
  changes: Partial<Collection> | undefined,
  writes: readonly Write[] = [],
): Change {
  const after = changes && { ...record, ...changes }
  const written = collections.write(place.accountId, place.collectionId, after)
  return { writes: [written, ...writes], guards: [unchanged] }
}

/** A change to the faces, with the log entry that informs other processes. */
export function changedFaces(
  opened: Changeable,
  { came = [], went = [] }: { came?: readonly string[]; went?: readonly string[] },
  writes: readonly Write[],
  pins: Pick<Collection, 'embeddingModel' | 'secondModel'> = opened.record,
): Change {
  const { record, changeLog, place, unchanged } = opened
  if (came.length + went.length === 0) return { writes: [], guards: [unchanged] }
  const revision = record.revision + 1
  const logged = changeLog.note(place, { revision, came, went })
  const { embeddingModel, secondModel } = pins
  return { ...changed(opened, { revision, embeddingModel, secondModel }, [logged, ...writes]), revision }
}
