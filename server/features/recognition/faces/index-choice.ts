import { Problem } from '#shared/problem.ts'
import type { FaceIndex, IndexKind } from './indexed-collections.ts'

/** The indexes of a deployment. */
export interface FaceIndexes {
  readonly memory: FaceIndex
  /** Undefined where no server is set that could keep it. */
  readonly postgres: FaceIndex | undefined
  /** That of collections which name none. */
  readonly usual: IndexKind
}

/**
 * The index of a collection: that which it was moved to, else the usual one.
 * @throws {Problem} not_ready where it was moved to servers that are not set here
 */
export function chosenIndex(indexes: FaceIndexes, moved: IndexKind | undefined): FaceIndex {
  const index = indexes[moved ?? indexes.usual]
  if (index !== undefined) return index
  throw new Problem(
    'not_ready',
    'The faces of the collection were moved to PostgreSQL, and neither STORE nor INDEX_SERVERS names a server here.',
  )
}
