import type { Reading } from '../analyser.ts'
import { thresholds } from '../thresholds.ts'

/**
 * Calls `onStill` once the camera has shown the very same picture without a face for a while: the logo of a virtual camera that is off. A sensor is
 * never that silent. A still picture of a person is the server's to judge.
 */
export function createStillWatch(onStill: () => void): (reading: Pick<Reading, 'analysis' | 'at'>) => void {
  const { stillMilliseconds, stillPictures } = thresholds.camera
  let same: { readonly luminance: number; readonly at: number; count: number } | undefined
  return ({ analysis, at }) => {
    const { luminance, face } = analysis
    if (face !== undefined) {
      same = undefined
      return
    }
    if (same?.luminance !== luminance) same = { luminance, at, count: 0 }
    same.count++
    if (at - same.at < stillMilliseconds || same.count < stillPictures) return
    same = undefined
    onStill()
  }
}
