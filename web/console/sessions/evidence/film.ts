import type { getEvidence } from '#shared/contract/sessions/session-evidence.ts'
import type { ResultOf } from '#shared/endpoint.ts'

/** A visit's stored film. */
export type Film = ResultOf<typeof getEvidence>['film']

/** Used if the film's times are missing or implausible. */
const usualMilliseconds = 340
const mostMilliseconds = 1000

/** How long one of the film's pictures is shown, in milliseconds. */
export function shownFor(film: Film, at: number): number {
  const apart = (film[at + 1]?.time ?? 0) - (film[at]?.time ?? 0)
  return apart > 0 ? Math.min(apart, mostMilliseconds) : usualMilliseconds
}
