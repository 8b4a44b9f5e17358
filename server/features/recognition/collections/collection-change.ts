import type { Collection } from '#server/features/recognition/store/collection.ts'
import type { Guard, Write } from '#server/platform/store/store.ts'
import type { CollectionSources, CollectionState } from './collection-state.ts'

/** Writes that apply only if the collection has not changed in the meantime. */
export interface CollectionChange {
  readonly writes: readonly Write[]
  readonly guards: readonly Guard[]
  /** The faces' new revision, if any of them change. */
  readonly revision?: number
}

/** Changes a collection's record; undefined removes it. */
export function changeRecord(
  { collections }: CollectionSources,
  { record, place, unchanged }: CollectionState,
  changes: Partial<Collection> | undefined,
  writes: readonly Write[] = [],
): CollectionChange {
  const after = changes && { ...record, ...changes }
  const written = collections.write(place.accountId, place.collectionId, after)
  return { writes: [written, ...writes], guards: [unchanged] }
}

/** A change to the faces, with the log entry that informs other processes. */
export function changeFaces(
  sources: CollectionSources,
  state: CollectionState,
  { came = [], went = [] }: { came?: readonly string[]; went?: readonly string[] },
  writes: readonly Write[],
  pins: Pick<Collection, 'embeddingModel' | 'secondModel'> = state.record,
): CollectionChange {
  const { record, place, unchanged } = state
  if (came.length + went.length === 0) return { writes: [], guards: [unchanged] }
  const revision = record.revision + 1
  const logged = sources.changeLog.note(place, { revision, came, went })
  const { embeddingModel, secondModel } = pins
  return {
    ...changeRecord(sources, state, { revision, embeddingModel, secondModel }, [logged, ...writes]),
    revision,
  }
}
