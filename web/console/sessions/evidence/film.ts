import type { getEvidence } from '#shared/contract/sessions/session-evidence.ts'
import type { ResultOf } from '#shared/endpoint.ts'

/** The film of a visit, as far as it was kept. */
export type Film = ResultOf<typeof getEvidence>['film']

/** Where the times of a film say nothing. */
const usualMilliseconds = 340
const mostMilliseconds = 1000

/** How long a picture of the film is shown. */
export function shownFor(film: Film, at: number): number {
  const apart = (film[at + 1]?.time ?? 0) - (film[at]?.time ?? 0)
  return apart > 0 ? Math.min(apart, mostMilliseconds) : usualMilliseconds
}
