import type { Reading } from '../analyser.ts'
import { thresholds } from '../thresholds.ts'

/**
 * Calls `onBlack` once the picture has been black for a while, for example because the camera is covered or broken. A camera that has
 * just been opened may show one picture and then go black again while it finds its exposure, so its first seconds do not count.
 */
export function createBlackWatch(
  onBlack: () => void,
): (reading: Pick<Reading, 'analysis' | 'at' | 'time'>) => void {
  const { blackLuminance, blackMilliseconds, warmMilliseconds } = thresholds.camera
  let since: number | undefined
  return ({ analysis, at, time }) => {
    const isBlack = analysis.luminance < blackLuminance && time >= warmMilliseconds
    since = isBlack ? (since ?? at) : undefined
    if (since === undefined || at - since < blackMilliseconds) return
    since = undefined
    onBlack()
  }
}
