import type { Action } from '#shared/contract/sessions/session.ts'
import { isComingCloser } from './another-way.ts'
import { turnsTheHead } from './movement.ts'
import type { Drawing } from './progress.ts'

/**
 * Draws the next action just before it is revealed: never the same twice in a row, and no repeat while others are left.
 * The first action turns the head if any may, and further ones do until one has. As unpredictable as `random`, which
 * returns a whole number from 0 up to its argument, exclusive.
 *
 * [Note: The head turns first] A face that never turns shows nothing that a photograph lacks, so a person who is only
 * asked to smile could not exceed `low`. Choosing from three actions instead of four weakens the defence against
 * recordings less than this evidence is worth.
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
  // Someone who keeps asking to replace turns probably cannot turn their head.
  const still =
    insteadOf !== undefined && turnsTheHead(insteadOf) ? fresh.filter((one) => !turnsTheHead(one)) : []
  const choices = [...turnsLeft, still, fresh, allowed.filter(isDifferent), allowed]
  const choice = choices.find((list) => list.length > 0)!
  return choice[random(choice.length)]!
}
