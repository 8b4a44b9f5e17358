import { thresholds } from '../thresholds.ts'

const lookMilliseconds = 100
const side = 12

/**
 * Resolves to true once the camera shows more than black, or if its picture cannot be read; to false once `isOver` returns true.
 * [Note: A camera may open its eyes slowly] Some cameras open a shutter first, or take seconds to adjust their exposure. Reopening
 * such a camera would only start this over, so the page waits.
 */
export async function untilLit(video: HTMLVideoElement, isOver: () => boolean): Promise<boolean> {
  const luminance = createLook(video)
  while (!isOver()) {
    if (luminance() >= thresholds.camera.blackLuminance) return true
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds))
  }
  return false
}

/** The picture's mean luminance from 0 to 255; Infinity if it cannot be read. */
function createLook(video: HTMLVideoElement): () => number {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return () => {
    try {
      context!.drawImage(video, 0, 0, side, side)
      const { data } = context!.getImageData(0, 0, side, side)
      let sum = 0
      for (let i = 0; i < data.length; i += 4)
        sum += 0.299 * data[i]! + 0.587 * data[i + 1]! + 0.114 * data[i + 2]!
      return sum / (side * side)
    } catch {
      return Number.POSITIVE_INFINITY
    }
  }
}
