import type { StepRecord } from '#models/rules/challenge/step.ts'
import { clockSlackInMilliseconds } from '#models/rules/liveness/take.ts'

/** When a picture was taken, by the device's clock, and when it came, by the server's. */
interface Moment {
  readonly time: number
  readonly receivedAt: number
}

/**
 * True if a camera can have taken the film since the session was opened.
 *
 * [Note: Networks are no evidence] Pictures that the camera took while a request was on its way come with the next one, and are late for no fault of the
 * person. So a film is measured against the whole session, and not against the time since the last answer: up to each picture it covers at most the
 * time that has passed on the server. A camera that was opened again counts from its new start.
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
