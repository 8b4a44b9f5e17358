import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { TrailSoFar } from '#server/platform/http/requests/pictures/trail.ts'

/** The limits that apply to the film of a request that arrives now. */
export function trailSoFar(
  { trail = [], created, before }: Pick<SessionRecord, 'trail' | 'created' | 'before'>,
  receivedAt: number,
): TrailSoFar {
  return { alreadySent: trail.length, openInMilliseconds: receivedAt - (before?.begun ?? created) }
}
