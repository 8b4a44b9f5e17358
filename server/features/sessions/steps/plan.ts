import { randomInt } from 'node:crypto'
import { isComingCloser } from '#models/rules/challenge/another-way.ts'
import { turnsTheHead } from '#models/rules/challenge/movement.ts'
import type { Draw, Drawing } from '#models/rules/challenge/progress.ts'
import { drawSizes } from '#models/rules/challenge/size.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

/**
 * Draws the next action, unpredictably and only when it is about to be revealed: never the same twice in a row, and
 * none that was already drawn while others are left. The first one turns the head where any may, and further ones until one did.
 *
 * [Note: The head turns first] A face that never turns shows nothing that a photograph does not have: who is only asked to smile could
 * not reach more than `low`. Three actions instead of four to guess among cost a recording less than the evidence is worth.
 */
export function drawAction(
  allowed: readonly Action[],
  drawn: readonly Action[],
  random: (below: number) => number = randomInt,
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

/**
 * Draws for a page. [Note: Sizes are asked of who shows them] A page of an integrator's own that knows nothing of sizes is asked
 * to come closer in one step, as ever.
 */
export function drawFor(allowed: readonly Action[], acceptsSizes: boolean): Draw {
  return (drawn, drawing) => {
    const action = drawAction(allowed, drawn, randomInt, drawing)
    return { action, sizes: acceptsSizes && action === 'comeCloser' ? drawSizes(randomInt) : [] }
  }
}
