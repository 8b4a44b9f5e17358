import type { EncodedSize } from '#workers/api.ts'
import type { Film } from './film.ts'
import { thresholds as t } from './thresholds.ts'

/** Looks so often whether the film waits. */
const lookMilliseconds = 50
/** Quality goes down by this much until a picture has few enough bytes; no further than the least. */
const lower = { by: 0.2, least: 0.2 } as const

/**
 * [Note: The film goes by the clock] An analysis hands its picture to the film as well. Where it takes longer than the film can wait, the page takes a
 * small picture of the camera itself: a slow device looks at less, and films as much. @returns what ends it
 */
export function filmByClock(film: Film, video: HTMLVideoElement, time: () => number): () => void {
  const encodeSmall = smallPictures(video)
  const timer = setInterval(() => {
    // What cannot be taken now is taken by the next analysis.
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
      const bytes = jpegOf(canvas, quality)
      if (bytes.length <= mostBytes || quality <= lower.least) return bytes
    }
  }
}

/** [Note: At once] What a browser encodes in the background waits until it is idle, on a slow device for a second and more; so small a picture takes less than one frame. */
function jpegOf(canvas: HTMLCanvasElement, quality: number): Uint8Array {
  const [, base64 = ''] = canvas.toDataURL('image/jpeg', quality).split(',')
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}
