import type { RgbaFrame } from '#models/picture/frame.ts'

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
  /** At most `longestSide` pixels; the picture's own size where it is smaller or no limit is given. */
  pixels(picture: CameraPicture, longestSide?: number): Promise<RgbaFrame>
}

/** Reads pixels through canvases in main memory: a canvas on the graphics card would copy every frame there and back. */
export function createBitmapDecoder(): BitmapDecoder {
  const target = readableContext()
  let whole: OffscreenCanvasRenderingContext2D | undefined
  return {
    async pixels(picture, longestSide = Number.POSITIVE_INFINITY) {
      const size = sizeOf(picture)
      const { width, height } = fitted(size, longestSide)
      const copy = await copyOf(picture)
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
 * Reads the pixels of a frame that lies in main memory. [Note: No canvas for a frame] Without a graphics card, Chromium asks its other
 * process for one each time a worker draws a frame, and blocks the page's thread meanwhile. Copying takes half as long in all.
 * @returns undefined if the frame has to be drawn
 */
async function copyOf(picture: CameraPicture): Promise<Uint8ClampedArray<ArrayBuffer> | undefined> {
  if (!('visibleRect' in picture) || !(picture.format === 'I420' || picture.format === 'NV12'))
    return undefined
  const { displayWidth: width, displayHeight: height, visibleRect } = picture
  const { rotation = 0, flip = false } = picture as { rotation?: number; flip?: boolean }
  if (rotation !== 0 || flip || visibleRect?.width !== width || visibleRect.height !== height)
    return undefined
  const asRgba = { format: 'RGBA' } as const
  const bytes = 4 * width * height
  try {
    // A browser that does not know the option would copy the planes as they are, which have fewer bytes.
    if (picture.allocationSize(asRgba) !== bytes) return undefined
    const copy = new Uint8ClampedArray(bytes)
    await picture.copyTo(copy, asRgba)
    return copy
  } catch {
    return undefined
  }
}

/** The size of a picture limited to `longestSide`; its original size if that is smaller. */
export function fitted({ width, height }: { width: number; height: number }, longestSide: number) {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
