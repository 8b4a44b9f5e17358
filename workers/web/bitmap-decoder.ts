import type { Frame } from '#models/picture/frame.ts'

/** Pixels of pictures; one canvas serves every picture of a size. */
export interface BitmapDecoder {
  /** At most `longestSide` pixels; the picture's own size where it is smaller or no limit is given. */
  pixels(bitmap: ImageBitmap, longestSide?: number): Frame
}

/**
 * Reads pixels through a canvas in main memory: a canvas on the graphics card would copy every frame there and back.
 */
export function createBitmapDecoder(): BitmapDecoder {
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d', { willReadFrequently: true, alpha: false })
  if (context === null) throw new Error('this browser has no canvas in workers')
  return {
    pixels(bitmap, longestSide = Number.POSITIVE_INFINITY) {
      const { width, height } = fitted(bitmap, longestSide)
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width
        canvas.height = height
      }
      context.drawImage(bitmap, 0, 0, width, height)
      return { width, height, rgba: context.getImageData(0, 0, width, height).data }
    },
  }
}

/** The picture as a JPEG of at most `longestSide` pixels; `quality` is 0...1. */
export async function encodeJpeg(
  bitmap: ImageBitmap,
  longestSide: number,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = fitted(bitmap, longestSide)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) throw new Error('this browser has no canvas in workers')
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality })
  return new Uint8Array(await blob.arrayBuffer())
}

function fitted({ width, height }: { width: number; height: number }, longestSide: number) {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
