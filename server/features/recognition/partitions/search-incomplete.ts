import { Problem } from '#shared/problem.ts'

const retryAfterInSeconds = 2

/** Which of how many servers a partition is, from 1 on. */
export interface Whereabouts {
  readonly place: number
  readonly places: number
}

/**
 * [Note: Never "no match"] A search that one of the servers has not answered found nobody there, and says so: what it knows is no answer to
 * whether a face is known.
 */
export function searchIncomplete({ place, places }: Whereabouts): Problem {
  return new Problem(
    'search_incomplete',
    `Server ${place} of the ${places} that keep the faces does not answer: the search would be incomplete.`,
    { retryAfterInSeconds, members: { partition: place, partitions: places } },
  )
}
