import type { Action } from '#shared/contract/sessions/session.ts'
import { headMovements, type Movement } from './movement.ts'

/**
 * True if a request for another action is answered with coming closer.
 *
 * [Note: Another way] Another turn does not help a person who cannot turn their head. Coming closer needs no movement of
 * the head and can be done by hand or with help. So it is offered first, once, if it may be requested at all.
 */
export function isComingCloser(
  allowed: readonly Action[],
  drawn: readonly Action[],
  insteadOf: Action | undefined,
): boolean {
  const isOfHead = insteadOf !== undefined && (headMovements as readonly Movement[]).includes(insteadOf)
  return isOfHead && allowed.includes('comeCloser') && !drawn.includes('comeCloser')
}
