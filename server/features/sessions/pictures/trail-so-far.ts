import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { TrailSoFar } from '#server/platform/http/requests/pictures/trail.ts'

/** The earlier film that a new request's film is checked against, including pictures sent early in the open step. */
export function trailSoFar(
  { trail = [], created, before }: Pick<SessionRecord, 'trail' | 'created' | 'before'>,
  receivedAt: number,
  handedIn: { readonly trailCount: number } = { trailCount: 0 },
): TrailSoFar {
  return {
    alreadySent: trail.length + handedIn.trailCount,
    openInMilliseconds: receivedAt - (before?.begun ?? created),
  }
}
