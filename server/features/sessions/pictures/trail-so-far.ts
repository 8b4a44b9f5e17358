import type { SessionRecord } from '#server/features/sessions/record.ts'
import type { TrailSoFar } from '#server/platform/http/requests/pictures/trail.ts'

/** What counts against the trail of a request that came now, with what was handed in for the open step before. */
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
