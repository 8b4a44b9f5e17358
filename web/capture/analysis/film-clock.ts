import type { EncodedSize } from '#workers/api.ts'
import type { Film } from './film.ts'
import { canvasJpeg } from './pictures/canvas-jpeg.ts'
import { thresholds as t } from './thresholds.ts'

/** How often to check whether the film is waiting for a picture. */
const lookMilliseconds = 50
/** Quality is reduced in these steps until the picture is small enough or reaches the minimum. */
const lower = { by: 0.2, least: 0.2 } as const

/**
 * [Note: The film goes by the clock] Each analysis passes its picture to the film. If the analysis takes longer than the film can wait, the page captures a
 * small picture itself, so that a slow device analyses less but films as often. @returns a function that stops it
 */
export function filmByClock(film: Film, video: HTMLVideoElement, time: () => number): () => void {
  const encodeSmall = smallPictures(video)
  const timer = setInterval(() => {
    // If this fails, the next analysis supplies a picture.
    if (video.videoWidth > 0) film.fill({ time: time(), encodeSmall }).catch(() => undefined)
  }, lookMilliseconds)
  return () => clearInterval(timer)
}

function smallPictures(video: HTMLVideoElement) {
  const canvas = document.createElement('canvas')
  return async ({ longestSide, mostBytes }: EncodedSize): Promise<Uint8Array> => {
    const scale = longestSide / Math.max(video.videoWidth, video.videoHeight)
    canvas.width = Math.round(video.videoWidth * scale)
    canvas.height = Math.round(video.videoHeight * scale)
    const brush = canvas.getContext('2d', { alpha: false })!
    brush.imageSmoothingQuality = 'high'
    brush.drawImage(video, 0, 0, canvas.width, canvas.height)
    for (let quality: number = t.film.jpegQuality; ; quality -= lower.by) {
      const bytes = canvasJpeg(canvas, quality)
      if (bytes.length <= mostBytes || quality <= lower.least) return bytes
    }
  }
}
