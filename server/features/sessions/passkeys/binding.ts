import { type BoundFace, isOfBoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { PasskeyOffer, Standing } from './passkey-store.ts'

/** A person has few devices. The eleventh is refused: none that is bound makes room. */
const mostPasskeys = 10

/** Who was seen, and which bound passkey was shown with it. */
export type Seen = Pick<PasskeyOffer, 'face' | 'shown'>

/**
 * Whether whoever was seen may bind a passkey.
 * [Note: A passkey vouches for the next] A name in a link binds the first one. Every further one needs one that is bound, shown in the
 * same visit, or an operator who took all of them back; and the face that the first was bound by, in either case.
 */
export function mayBind({ bound, face }: Standing, { face: seen, shown }: Seen): boolean {
  const isVouchedFor = bound.length === 0 || bound.some(({ credentialId }) => credentialId === shown)
  if (!isVouchedFor || bound.length >= mostPasskeys) return false
  if (face === undefined) return true
  // [Note: Faces of two models are never compared] Then the word of the operator, who took all of them back, stands alone.
  if (face.embeddingModel !== seen.embeddingModel) return bound.length === 0
  return isOfBoundFace(seen.embedding, face)
}

/** The face that a passkey is pinned to which is bound now: that of the first, so that none drifts from one binding to the next. */
export function faceToPin({ face }: Standing, { face: seen }: Seen): BoundFace {
  return face?.embeddingModel === seen.embeddingModel ? face : seen
}

/** [Note: A device that showed its passkey has one] It is offered no second: only where the passkey came from another device. */
export function isFromElsewhere(response: unknown): boolean {
  return (response as { authenticatorAttachment?: unknown }).authenticatorAttachment !== 'platform'
}
