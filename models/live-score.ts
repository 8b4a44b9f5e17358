/**
 * One score for the raw and the blurred crop of a face, 0...1. The blurred one weighs most: faint noise of a camera
 * pulls the raw crop of a live face down, and noise added to a replay lifts it.
 */
export function liveScore({
  raw,
  blurred = raw,
}: {
  readonly raw: number
  readonly blurred?: number
}): number {
  return 0.75 * blurred + 0.25 * raw
}
