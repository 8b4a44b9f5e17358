import { Problem } from '#shared/problem.ts'

const retryAfterInSeconds = 2

/** A server's position among all servers, starting at 1. */
export interface ServerPosition {
  readonly place: number
  readonly places: number
}

/**
 * [Note: Never "no match"] If one server does not answer, the search has not covered its faces and is reported as such: it
 * cannot claim that a face is unknown.
 */
export function searchIncomplete({ place, places }: ServerPosition): Problem {
  return new Problem(
    'search_incomplete',
    `Server ${place} of the ${places} that store the faces does not answer, so the search would be incomplete. Try again later.`,
    { retryAfterInSeconds, members: { partition: place, partitions: places } },
  )
}
