import { Problem } from '#shared/problem.ts'

const retryAfterInSeconds = 2

/** The index of a server among all of them, from 1 on. */
export interface Whereabouts {
  readonly place: number
  readonly places: number
}

/**
 * [Note: Never "no match"] A search without the answer of one server has not searched its faces, and is reported as such:
 * it cannot say that a face is unknown.
 */
export function searchIncomplete({ place, places }: Whereabouts): Problem {
  return new Problem(
    'search_incomplete',
    `Server ${place} of the ${places} that store the faces does not answer, so the search would be incomplete. Try again later.`,
    { retryAfterInSeconds, members: { partition: place, partitions: places } },
  )
}
