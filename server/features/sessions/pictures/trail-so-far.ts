import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import type { TrailSoFar } from '#server/platform/http/requests/pictures/trail.ts'

/** Describes the film sent so far, which limits a new request's film. It includes the pictures sent early in the open step. */
export function trailSoFar(
  { trail = [], created, before }: Pick<SessionRecord, 'trail' | 'created' | 'before'>,
  receivedAt: number,
  early: { readonly trailCount: number } = { trailCount: 0 },
): TrailSoFar {
  return {
    alreadySent: trail.length + early.trailCount,
    openInMilliseconds: receivedAt - (before?.begun ?? created),
  }
}
