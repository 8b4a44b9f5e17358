import type { Action } from '#shared/contract/sessions/session.ts'
import { isComingCloser } from './another-way.ts'
import { turnsTheHead } from './movement.ts'
import type { Drawing } from './progress.ts'

/**
 * Draws the next action, only when it is about to be revealed: never the same twice in a row, and none that was already drawn while
 * others are left. The first one turns the head where any may, and further ones until one did. It is as hard to predict as `random`,
 * which draws a whole number from 0 up to the one that it is given.
 *
 * [Note: The head turns first] A face that never turns shows nothing that a photograph does not have: who is only asked to smile could
 * not reach more than `low`. Three actions instead of four to guess among cost a recording less than the evidence is worth.
 */
export function drawAction(
  allowed: readonly Action[],
  drawn: readonly Action[],
  random: (below: number) => number,
  { insteadOf, mustTurn = drawn.length === 0 }: Drawing = {},
): Action {
  const last = drawn.at(-1)
  const isFresh = (action: Action) => !drawn.includes(action)
  const isDifferent = (action: Action) => action !== last && action !== insteadOf
  const turns = mustTurn ? allowed.filter(turnsTheHead) : []
  const others = turns.filter(isDifferent)
  if (others.length === 0 && isComingCloser(allowed, drawn, insteadOf)) return 'comeCloser'
  const turnsLeft = [others.filter(isFresh), others, insteadOf === undefined ? turns : []]
  const fresh = allowed.filter(isFresh)
  // Whoever asks for something else than a turn once more cannot turn the head.
  const still =
    insteadOf !== undefined && turnsTheHead(insteadOf) ? fresh.filter((one) => !turnsTheHead(one)) : []
  const choices = [...turnsLeft, still, fresh, allowed.filter(isDifferent), allowed]
  const choice = choices.find((list) => list.length > 0)!
  return choice[random(choice.length)]!
}
