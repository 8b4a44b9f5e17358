import type { StepRecord } from '#models/rules/challenge/step.ts'
import { clockSlackInMilliseconds } from '#models/rules/liveness/take.ts'

/** When a picture was taken, by the device's clock, and when it came, by the server's. */
interface Moment {
  readonly time: number
  readonly receivedAt: number
}

/**
 * Whether a film can have been taken since the session was opened.
 *
 * [Note: Networks are no evidence] What was filmed while a request was on its way comes with the next one, which is late for no fault of the person.
 * So a film is measured against the whole session, and not against the time since the last answer: up to each picture it can cover no
 * longer than the server saw pass. A camera that began anew counts from its own beginning.
 */
export function isFilmPossible(
  trail: readonly Moment[],
  steps: readonly Pick<StepRecord, 'revealedAt'>[],
): boolean {
  const openedAt = steps[0]?.revealedAt ?? 0
  const inOrder = [...trail].sort((a, b) => a.receivedAt - b.receivedAt || a.time - b.time)
  let filmed = 0
  return inOrder.every(({ time, receivedAt }, i) => {
    filmed += i === 0 ? 0 : Math.max(0, time - inOrder[i - 1]!.time)
    return filmed <= receivedAt - openedAt + clockSlackInMilliseconds
  })
}
