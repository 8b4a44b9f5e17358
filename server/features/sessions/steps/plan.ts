import { randomInt } from 'node:crypto'
import { drawAction } from '#models/rules/challenge/draw-action.ts'
import type { Draw } from '#models/rules/challenge/progress.ts'
import { drawSizes } from '#models/rules/challenge/size.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

/**
 * Draws a page's plan. [Note: Sizes are asked of who shows them] An integrator's own page that does not support sizes is asked
 * to come closer in a single step, as before.
 */
export function drawFor(allowed: readonly Action[], acceptsSizes: boolean): Draw {
  return (drawn, drawing) => {
    const action = drawAction(allowed, drawn, randomInt, drawing)
    return { action, sizes: acceptsSizes && action === 'comeCloser' ? drawSizes(randomInt) : [] }
  }
}
