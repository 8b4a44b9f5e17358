import type { Action } from '#shared/contract/sessions/session.ts'
import { headMovements, type Movement } from './movement.ts'

/**
 * True if a request for another action should be answered with "come closer".
 * [Note: Another way] A different turn does not help someone who cannot turn their head. Coming closer requires no head movement and
 * can be done by hand or with help, so it is offered once, as the first alternative, if it may be requested at all.
 */
export function isComingCloser(
  allowed: readonly Action[],
  drawn: readonly Action[],
  insteadOf: Action | undefined,
): boolean {
  const isOfHead = insteadOf !== undefined && (headMovements as readonly Movement[]).includes(insteadOf)
  return isOfHead && allowed.includes('comeCloser') && !drawn.includes('comeCloser')
}
