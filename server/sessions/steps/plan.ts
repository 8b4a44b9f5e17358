import { randomInt } from 'node:crypto'
import { turnsTheHead } from '#models/rules/challenge/movement.ts'
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
): Action {
  const last = drawn.at(-1)
  const fresh = allowed.filter((action) => !drawn.includes(action))
  const different = allowed.filter((action) => action !== last)
  const first = drawn.length === 0 ? allowed.filter(turnsTheHead) : []
  const choice = [first, fresh, different, allowed].find((list) => list.length > 0)!
  return choice[random(choice.length)]!
}
