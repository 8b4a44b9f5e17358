import { randomInt } from 'node:crypto'
import { isComingCloser } from '#models/rules/challenge/another-way.ts'
import { turnsTheHead } from '#models/rules/challenge/movement.ts'
import type { Draw } from '#models/rules/challenge/progress.ts'
import { drawSizes } from '#models/rules/challenge/size.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

/**
 * Draws the next action, unpredictably and only when it is about to be revealed: never the same twice in a row, and
 * none that was already drawn while others are left. The first one turns the head where any may.
 *
 * [Note: The head turns first] A face that never turns shows nothing that a photograph does not have: who is only asked to smile could
 * not reach more than `low`. Three actions instead of four to guess among cost a recording less than the evidence is worth.
 */
export function drawAction(
  allowed: readonly Action[],
  drawn: readonly Action[],
  random: (below: number) => number = randomInt,
  insteadOf?: Action,
): Action {
  if (isComingCloser(allowed, drawn, insteadOf)) return 'comeCloser'
  const last = drawn.at(-1)
  const fresh = allowed.filter((action) => !drawn.includes(action))
  const different = allowed.filter((action) => action !== last)
  const first = drawn.length === 0 ? allowed.filter(turnsTheHead) : []
  const choice = [first, fresh, different, allowed].find((list) => list.length > 0)!
  return choice[random(choice.length)]!
}

/**
 * Draws for a page. [Note: Sizes are asked of who shows them] A page of an integrator's own that knows nothing of sizes is asked
 * to come closer in one step, as ever.
 */
export function drawFor(allowed: readonly Action[], acceptsSizes: boolean): Draw {
  return (drawn, insteadOf) => {
    const action = drawAction(allowed, drawn, randomInt, insteadOf)
    return { action, sizes: acceptsSizes && action === 'comeCloser' ? drawSizes(randomInt) : [] }
  }
}
