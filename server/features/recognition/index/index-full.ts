import { Problem } from '#shared/problem.ts'

/**
 * A collection's faces do not fit into the memory of this process's search threads. All of them are still in the store, and
 * can be searched again once there is room.
 */
export class IndexFull extends Problem {
  constructor() {
    super(
      'not_ready',
      'The faces of the collection do not fit in the memory of the search threads. They remain stored. Let PostgreSQL servers search them (npm run collection -- move COLLECTION --to postgres, or FACE_INDEX=postgres), or raise SEARCH_THREADS.',
      { retryAfterInSeconds: 300 },
    )
  }
}
