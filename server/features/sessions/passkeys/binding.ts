import { type BoundFace, isOfBoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { PasskeyOffer, PasskeyStanding } from '#server/features/sessions/records/passkey-store.ts'

/** A person has few devices. The eleventh passkey is refused, and never replaces a bound one. */
const mostPasskeys = 10

/** The visit's person, and the bound passkey shown in the visit. */
export type SeenPerson = Pick<PasskeyOffer, 'face' | 'shown'>

/**
 * True if the visit's person may bind a passkey. [Note: A passkey vouches for the next] For the first passkey, a name in a
 * link is enough. Each further one requires a bound passkey shown in the same visit, or an operator who reset all of them.
 * In either case, the face must be the one that bound the first passkey.
 */
export function mayBind({ bound, face }: PasskeyStanding, { face: seen, shown }: SeenPerson): boolean {
  const isVouchedFor = bound.length === 0 || bound.some(({ credentialId }) => credentialId === shown)
  if (!isVouchedFor || bound.length >= mostPasskeys) return false
  if (face === undefined) return true
  // [Note: Faces of two models are never compared] In that case, only the operator's reset counts.
  if (face.embeddingModel !== seen.embeddingModel) return bound.length === 0
  return isOfBoundFace(seen.embedding, face)
}

/** The face that a newly bound passkey is pinned to: the first passkey's, so that it does not drift from one binding to the next. */
export function faceToPin({ face }: PasskeyStanding, { face: seen }: SeenPerson): BoundFace {
  return face?.embeddingModel === seen.embeddingModel ? face : seen
}

/** [Note: A device that showed its passkey has one] A second passkey is offered only if the first is from another device. */
export function isFromElsewhere(response: unknown): boolean {
  return (response as { authenticatorAttachment?: unknown }).authenticatorAttachment !== 'platform'
}
