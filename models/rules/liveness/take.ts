import type { StepRecord } from '#models/rules/challenge/step.ts'
import type { Observation } from '#models/rules/observation.ts'

/** The minimum number of pictures before counting identical ones. */
const fewestPictures = 4

/**
 * True if more than half of the pictures are identical to earlier ones in the same try. A camera never takes exactly the same picture twice,
 * but a looped film does repeat some.
 */
export function isRepeated(observations: readonly Observation[]): boolean {
  const digests = digestsOf(observations)
  return digests.length >= fewestPictures && new Set(digests).size * 2 < digests.length
}

/**
 * True if at least half of the pictures were already part of an earlier judged try in this session, although every try is filmed from scratch.
 * `earlier` contains the digests of those pictures.
 */
export function isOfEarlierTry(observations: readonly Observation[], earlier: readonly string[]): boolean {
  const digests = digestsOf(observations)
  const again = digests.filter((digest) => earlier.includes(digest))
  return digests.length >= fewestPictures && again.length * 2 >= digests.length
}

/** The digests of those pictures that have one. */
export function digestsOf(observations: readonly Observation[]): string[] {
  return observations.map(({ digest }) => digest).filter((digest) => digest !== '')
}

/** How many milliseconds a device's clock may be ahead of the server's within a request, because the camera was restarted. */
export const clockSlackInMilliseconds = 3000

/** For each picture, the milliseconds of the device's clock that have passed since the first one. A restart of the camera adds nothing. */
export function coveredTimes(pictures: readonly { readonly time: number }[]): number[] {
  let covered = 0
  return pictures.map(({ time }, i) => {
    covered += i === 0 ? 0 : Math.max(0, time - pictures[i - 1]!.time)
    return covered
  })
}

/**
 * True if each step's pictures can have been taken in sequence since the previous step was answered.
 *
 * [Note: The device's clock is a hint] An attacker can write any times, so they pass no one, and fail only what no camera
 * does: times that go back within one request, or pictures that took longer than the server observed. Equal times, or a camera
 * that restarted between two requests, fail no one.
 */
export function isPossibleTime(steps: readonly StepRecord[], observations: readonly Observation[]): boolean {
  return steps.every(({ step, answeredAt }, i) => {
    const since = steps[i - 1]?.answeredAt ?? steps[i]!.revealedAt
    const frames = observations.filter((frame) => frame.step === step && frame.receivedAt <= answeredAt)
    const goBack = frames.some(
      ({ time, receivedAt }, i) => receivedAt === frames[i - 1]?.receivedAt && time < frames[i - 1]!.time,
    )
    const covered = coveredTimes(frames).at(-1) ?? 0
    return !goBack && covered <= answeredAt - since + clockSlackInMilliseconds
  })
}
