import type { RgbaFrame } from '#models/picture/frame.ts'

/** A picture that the page sent, or one that the worker read from the camera. */
export type CameraPicture = ImageBitmap | VideoFrame

/** A camera frame's coded size may be larger than its visible size, and its pixels may not be square. */
export function sizeOf(picture: CameraPicture): { width: number; height: number } {
  return 'displayWidth' in picture
    ? { width: picture.displayWidth, height: picture.displayHeight }
    : { width: picture.width, height: picture.height }
}

/** Reads the pixels of pictures, reusing the same canvas as long as the size stays the same. */
export interface BitmapDecoder {
  /** Limited to `longestSide` pixels. Keeps the picture's own size if it is smaller or there is no limit. */
  pixels(picture: CameraPicture, longestSide?: number): Promise<RgbaFrame>
}

/** Reads pixels through canvases in main memory. A canvas on the graphics card would copy every frame there and back. */
export function createBitmapDecoder(): BitmapDecoder {
  const target = readableContext()
  let whole: OffscreenCanvasRenderingContext2D | undefined
  return {
    async pixels(picture, longestSide = Number.POSITIVE_INFINITY) {
      const size = sizeOf(picture)
      const { width, height } = fitted(size, longestSide)
      const copy = await copyPlanes(picture)
      if (copy !== undefined && width === size.width) return { width, height, rgba: copy }
      let source: CanvasImageSource = picture
      if (copy !== undefined) {
        whole ??= readableContext()
        resize(whole, size)
        whole.putImageData(new ImageData(copy, size.width), 0, 0)
        source = whole.canvas
      }
      resize(target, { width, height })
      target.drawImage(source, 0, 0, width, height)
      return { width, height, rgba: target.getImageData(0, 0, width, height).data }
    },
  }
}

function readableContext(): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true, alpha: false })
  if (context === null) throw new Error('this browser has no canvas in workers')
  return context
}

function resize(
  { canvas }: OffscreenCanvasRenderingContext2D,
  size: { width: number; height: number },
): void {
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size)
}

/**
 * Reads the pixels of a frame that is in main memory. [Note: No canvas for a frame] Without a graphics card, each time a worker draws a frame,
 * Chromium requests it from its GPU process and blocks the page's thread in the meantime. Copying takes half as long overall.
 * @returns undefined if the frame has to be drawn
 */
async function copyPlanes(picture: CameraPicture): Promise<Uint8ClampedArray<ArrayBuffer> | undefined> {
  if (!('visibleRect' in picture) || !(picture.format === 'I420' || picture.format === 'NV12'))
    return undefined
  const { displayWidth: width, displayHeight: height, visibleRect } = picture
  const { rotation = 0, flip = false } = picture as { rotation?: number; flip?: boolean }
  if (rotation !== 0 || flip || visibleRect?.width !== width || visibleRect.height !== height)
    return undefined
  const asRgba = { format: 'RGBA' } as const
  const bytes = 4 * width * height
  try {
    // A browser that does not support this option would copy the planes as they are, which yields fewer bytes.
    if (picture.allocationSize(asRgba) !== bytes) return undefined
    const copy = new Uint8ClampedArray(bytes)
    await picture.copyTo(copy, asRgba)
    return copy
  } catch {
    return undefined
  }
}

/** Scales a picture's size down to `longestSide`. Keeps the original size if it is smaller. */
export function fitted({ width, height }: { width: number; height: number }, longestSide: number) {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
