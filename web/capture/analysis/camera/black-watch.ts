import type { Reading } from '../analyser.ts'
import { thresholds } from '../thresholds.ts'

/** Calls `onBlack` once the picture has been black for a while, for example because the camera is covered or broken. */
export function createBlackWatch(onBlack: () => void): (reading: Reading) => void {
  const { blackLuminance, blackMilliseconds } = thresholds.camera
  let since: number | undefined
  return ({ analysis, at }) => {
    since = analysis.luminance < blackLuminance ? (since ?? at) : undefined
    if (since === undefined || at - since < blackMilliseconds) return
    since = undefined
    onBlack()
  }
}
