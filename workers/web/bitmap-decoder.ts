import type { Frame } from '#models/picture/frame.ts'

/** A picture as the page sends it, or as the worker reads it from the camera. */
export type CameraPicture = ImageBitmap | VideoFrame

/** A frame of a camera is larger in memory than what it shows, and may have pixels that are not square. */
export function sizeOf(picture: CameraPicture): { width: number; height: number } {
  return 'displayWidth' in picture
    ? { width: picture.displayWidth, height: picture.displayHeight }
    : { width: picture.width, height: picture.height }
}

/** Pixels of pictures; one canvas serves every picture of a size. */
export interface BitmapDecoder {
  /** At most `longestSide` pixels; the picture's own size where it is smaller or no limit is given. */
  pixels(picture: CameraPicture, longestSide?: number): Frame
}

/**
 * Reads pixels through a canvas in main memory: a canvas on the graphics card would copy every frame there and back.
 */
export function createBitmapDecoder(): BitmapDecoder {
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d', { willReadFrequently: true, alpha: false })
  if (context === null) throw new Error('this browser has no canvas in workers')
  return {
    pixels(picture, longestSide = Number.POSITIVE_INFINITY) {
      const { width, height } = fitted(sizeOf(picture), longestSide)
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width
        canvas.height = height
      }
      context.drawImage(picture, 0, 0, width, height)
      return { width, height, rgba: context.getImageData(0, 0, width, height).data }
    },
  }
}

/** The size of a picture of at most so many pixels on its longer side; its own where it is smaller. */
export function fitted({ width, height }: { width: number; height: number }, longestSide: number) {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
