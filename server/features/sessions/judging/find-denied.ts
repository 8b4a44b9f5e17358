import type { Verdict } from '#models/rules/verdict.ts'
import { type CollectionAccess, closestInCollection } from '#server/features/recognition/recognition.ts'
import type { Denial, DeniedFace } from '#server/features/sessions/records/denial.ts'
import type { Recognition } from '#server/features/sessions/records/recognition.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'

/** One false match in 100,000 comparisons. */
const deniedScore = 90

/**
 * Searches the collections of faces that must not pass. Undefined if there is nothing to search: no collection, no portrait,
 * or no living person. [Note: A picture is no person] Whoever holds a denied person's picture before the camera is not that person.
 */
export async function findDenied(
  collections: Pick<CollectionAccess, 'use'>,
  { accountId, settings }: Pick<SessionRecord, 'accountId' | 'settings'>,
  { portrait, formerPortrait, liveness }: Pick<Verdict, 'portrait' | 'formerPortrait' | 'liveness'>,
): Promise<Denial | undefined> {
  const ids = settings.verifiers.faceRecognition?.denyCollectionIds ?? []
  if (ids.length === 0 || portrait === null || liveness === 'Fail') return undefined
  let closest: (DeniedFace & { readonly score: number }) | undefined
  let isSkipped = false
  for (const collectionId of new Set(ids)) {
    const hit = await collections.use(accountId, collectionId, (collection) =>
      closestInCollection(collection, { portrait, formerPortrait }, deniedScore),
    )
    if (hit === 'incomparable') isSkipped = true
    else if (hit !== undefined && hit.score > (closest?.score ?? 0))
      closest = { collectionId, faceId: hit.face.faceId, score: hit.score }
  }
  if (closest === undefined) return { match: null, isSkipped }
  const { collectionId, faceId } = closest
  return { match: { collectionId, faceId }, isSkipped }
}

/** Adds what an earlier try found. [Note: What an earlier try resembled stays] The next try may show another person. */
export function deniedInTries(
  denial: Denial | undefined,
  { before }: Pick<SessionRecord, 'before'>,
): Pick<Recognition, 'denied'> {
  const match = denial?.match ?? before?.denied ?? null
  if (denial === undefined && match === null) return {}
  return { denied: { match, isSkipped: denial?.isSkipped === true } }
}

/** True if a match ends the session instead of waiting for a review. */
export function failsDenied({ settings }: Pick<SessionRecord, 'settings'>): boolean {
  return settings.verifiers.faceRecognition?.denyMode === 'fail'
}
