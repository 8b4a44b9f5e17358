import type { IndexKind } from '#server/features/recognition/store/collection.ts'
import { Problem } from '#shared/problem.ts'
import type { FaceIndex } from './face-index.ts'

/** A deployment's indexes. */
export interface FaceIndexes {
  readonly memory: FaceIndex
  /** Undefined if no server is configured for it. */
  readonly postgres: FaceIndex | undefined
  /** The kind used for collections that were never moved. */
  readonly usual: IndexKind
}

/**
 * A collection's index: the one it was moved to, or the default.
 * @throws {Problem} not_ready if it was moved to servers that are not configured here
 */
export function chooseIndex(indexes: FaceIndexes, moved: IndexKind | undefined): FaceIndex {
  const index = indexes[moved ?? indexes.usual]
  if (index !== undefined) return index
  throw new Problem(
    'not_ready',
    'The faces of the collection were moved to PostgreSQL, but neither STORE nor INDEX_SERVERS names a server here.',
  )
}
