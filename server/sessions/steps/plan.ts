import { randomInt } from 'node:crypto'
import type { Action } from '#shared/contract/sessions/session.ts'

/**
 * Draws the next action, unpredictably and only when it is about to be revealed: never the same twice in a row, and
 * none that was already drawn while others are left.
 */
export function drawAction(
  allowed: readonly Action[],
  drawn: readonly Action[],
  random: (below: number) => number = randomInt,
): Action {
  const last = drawn.at(-1)
  const fresh = allowed.filter((action) => !drawn.includes(action))
  const different = allowed.filter((action) => action !== last)
  const choice = [fresh, different, allowed].find((list) => list.length > 0)!
  return choice[random(choice.length)]!
}
