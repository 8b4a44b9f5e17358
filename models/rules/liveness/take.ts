import type { StepRecord } from '#models/rules/challenge/step.ts'
import type { Observation } from '#models/rules/observation.ts'

/** From so many pictures on, it counts how many of them are the very same. */
const fewestPictures = 4

/**
 * Whether more than half of the pictures are ones that came before in this try, to the last digit. No camera takes the
 * same picture twice; a film that is shown to one in a loop may, now and then.
 */
export function isRepeated(observations: readonly Observation[]): boolean {
  const digests = digestsOf(observations)
  return digests.length >= fewestPictures && new Set(digests).size * 2 < digests.length
}

/**
 * Whether at least half of the pictures came in an earlier try of this session that was judged: whoever tries again is filmed anew.
 * `earlier`: the digests of those pictures.
 */
export function isOfEarlierTry(observations: readonly Observation[], earlier: readonly string[]): boolean {
  const digests = digestsOf(observations)
  const again = digests.filter((digest) => earlier.includes(digest))
  return digests.length >= fewestPictures && again.length * 2 >= digests.length
}

/** What the pictures are known by that have something. */
export function digestsOf(observations: readonly Observation[]): string[] {
  return observations.map(({ digest }) => digest).filter((digest) => digest !== '')
}

/** What a device's clock may run ahead of the server's within one request, milliseconds: it started its camera anew. */
export const clockSlackInMilliseconds = 3000

/**
 * Whether each step's pictures can have been taken one after the other since the step before was answered.
 *
 * [Note: The device's clock is a hint] It is nothing that an attacker could not write as he likes. So it passes nobody,
 * and fails only what no camera does: pictures in the order of time whose times go back, or that took longer than the
 * server's clock knows to have passed. That all have the same time, or that a camera started anew between two steps,
 * fails nobody.
 */
export function isPossibleTime(steps: readonly StepRecord[], observations: readonly Observation[]): boolean {
  return steps.every(({ step, answeredAt }, i) => {
    const since = steps[i - 1]?.answeredAt ?? steps[i]!.revealedAt
    const times = observations
      .filter((frame) => frame.step === step && frame.receivedAt <= answeredAt)
      .map(({ time }) => time)
    const goBack = times.some((time, at) => at > 0 && time < times[at - 1]!)
    const span = times.length === 0 ? 0 : times.at(-1)! - times[0]!
    return !goBack && span <= answeredAt - since + clockSlackInMilliseconds
  })
}
