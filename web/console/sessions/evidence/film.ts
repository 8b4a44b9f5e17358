import type { getEvidence } from '#shared/contract/sessions/session-evidence.ts'
import type { ResultOf } from '#shared/endpoint.ts'

/** The stored film of a visit. */
export type Film = ResultOf<typeof getEvidence>['film']

/** Used if the times of the film are missing or implausible. */
const usualMilliseconds = 340
const mostMilliseconds = 1000

/** Milliseconds that a picture of the film is shown. */
export function shownFor(film: Film, at: number): number {
  const apart = (film[at + 1]?.time ?? 0) - (film[at]?.time ?? 0)
  return apart > 0 ? Math.min(apart, mostMilliseconds) : usualMilliseconds
}
