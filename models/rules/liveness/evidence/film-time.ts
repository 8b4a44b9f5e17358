import { clockSlackInMilliseconds, coveredTimes } from '#models/rules/liveness/take.ts'

/** When a picture was taken by the device's clock, and when it arrived by the server's. */
interface Moment {
  readonly time: number
  readonly receivedAt: number
}

/**
 * True if a camera could have taken the film since the session was opened.
 *
 * [Note: Networks are no evidence] Pictures taken while a request is in flight are sent with the next one, and it is not the person's fault
 * that they are late. So the film is checked against the whole session rather than the time since the last answer: at each picture, it may
 * cover no more time than has passed on the server. If the camera was restarted, the film counts from the restart.
 */
export function isFilmPossible(trail: readonly Moment[], openedAt = 0): boolean {
  const inOrder = [...trail].sort((a, b) => a.receivedAt - b.receivedAt || a.time - b.time)
  const covered = coveredTimes(inOrder)
  return inOrder.every(({ receivedAt }, i) => covered[i]! <= receivedAt - openedAt + clockSlackInMilliseconds)
}
