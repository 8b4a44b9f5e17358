import { setTimeout as pause } from 'node:timers/promises'

/** Most acts take no longer than opening a link twice. */
const answeredWithinMilliseconds = 60_000

/** Acknowledged acts that must still be there at the end. */
export interface AcknowledgedWrites {
  readonly collections: Set<string>
  readonly deleted: Set<string>
  readonly sessions: Set<string>
  readonly testSessions: Set<string>
  readonly actedVisits: Set<string>
  acknowledged: number
  refused: number
  unanswered: number
  twice: number
}

/** Performs an act that may be interrupted by a kill, and counts how it ended. */
export async function attempt(
  known: AcknowledgedWrites,
  act: () => Promise<void>,
  withinMilliseconds = answeredWithinMilliseconds,
): Promise<void> {
  try {
    const late = pause(withinMilliseconds, undefined, { ref: false }).then(() => {
      throw new TypeError('no answer')
    })
    await Promise.race([act(), late])
    known.acknowledged++
  } catch (error) {
    if (error instanceof TypeError) known.unanswered++
    else known.refused++
    await pause(50)
  }
}
