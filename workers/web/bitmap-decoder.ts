import type { Frame } from '#models/picture/frame.ts'

/** A picture sent by the page, or read by the worker from the camera. */
export type CameraPicture = ImageBitmap | VideoFrame

/** The coded size of a camera frame may exceed its visible size, and its pixels may not be square. */
export function sizeOf(picture: CameraPicture): { width: number; height: number } {
  return 'displayWidth' in picture
    ? { width: picture.displayWidth, height: picture.displayHeight }
    : { width: picture.width, height: picture.height }
}

/** Reads pixels of pictures, reusing one canvas for all pictures of a size. */
export interface BitmapDecoder {
  /** Scaled down to `longestSide` pixels; at the original size if that is smaller, or no limit is given. */
  pixels(picture: CameraPicture, longestSide?: number): Frame
}

/** Uses a canvas in main memory, because a canvas on the graphics card would copy every frame there and back. */
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

/** The size of a picture limited to `longestSide`; its original size if that is smaller. */
export function fitted({ width, height }: { width: number; height: number }, longestSide: number) {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
