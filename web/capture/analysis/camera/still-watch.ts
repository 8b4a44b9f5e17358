import type { Reading } from '../analyser.ts'
import { thresholds } from '../thresholds.ts'

/**
 * Calls `onStill` once the camera has shown an identical picture without a face for a while, such as a virtual camera's logo.
 * A real sensor always has some noise. Still pictures of a person are left to the server.
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
