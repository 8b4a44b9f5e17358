import type { Action } from '#shared/contract/sessions/session.ts'
import { headMovements, type Movement } from './movement.ts'

/**
 * Whether coming closer is what is asked of whoever asks for something else.
 *
 * [Note: Another way] Who cannot turn the head is not helped by another turn of it. Coming closer needs no movement of the
 * head, and one hand or somebody else's: so it comes first, once, where it may be asked at all.
 */
export function isComingCloser(
  allowed: readonly Action[],
  drawn: readonly Action[],
  insteadOf: Action | undefined,
): boolean {
  const isOfHead = insteadOf !== undefined && (headMovements as readonly Movement[]).includes(insteadOf)
  return isOfHead && allowed.includes('comeCloser') && !drawn.includes('comeCloser')
}
